import type { Plugin } from 'esbuild';

const replaceReader = (name: string, contents: string): Plugin => ({
  name,
  setup(build) {
    build.onLoad({ filter: /[/\\]downloads[/\\]program-files\.ts$/ }, () => ({ contents }));
  },
});

/** For esbuild: makes the program read the downloads from the folder `downloads` beside its own folder. */
export const downloadsBeside = replaceReader(
  'downloads-beside',
  `import { readFile } from 'node:fs/promises';
export const readDownloadFile = (name) =>
  readFile(new URL('../downloads/' + name, import.meta.url)).catch((error) => {
    if (error.code === 'ENOENT') return null;
    throw error;
  });
export const executablePath = () => null;`,
);

/** For esbuild: makes the single executable read the downloads from its assets. */
export const downloadsFromAssets = replaceReader(
  'downloads-from-assets',
  `import { getRawAsset } from 'node:sea';
export const readDownloadFile = async (name) => Buffer.from(getRawAsset('downloads/' + name));
export const executablePath = () => process.execPath;`,
);

/** For esbuild: makes a program that serves no downloads. */
export const withoutDownloads = replaceReader(
  'without-downloads',
  'export const readDownloadFile = async () => null; export const executablePath = () => null;',
);
