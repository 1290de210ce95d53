/** Pages and folders of pages that must read plainly. Generated pages take their words from the sources. */
export const pages = [
  'README.md',
  'CHANGELOG.md',
  'CONTRIBUTING.md',
  'SECURITY.md',
  'bench/README.md',
  'docs',
  'packages/sdk/README.md',
];

/** Folders and files of sources whose comments and texts must read plainly. Add a folder as soon as it has no hits. */
export const sources = [
  'examples',
  'bench',
  'bin',
  'packages/cli/src',
  'packages/daemon/src',
  'packages/sdk/src',
  'scripts',
  'test',
];
