/** Pages and folders of pages that must read plainly. Generated pages take their words from the sources. */
export const pages = ['README.md', 'CHANGELOG.md', 'CONTRIBUTING.md', 'SECURITY.md', 'docs', 'packages/sdk/README.md'];

/** Pages whose tables are not reworded yet. Take a page out when its tables are. */
export const pagesWithoutTables = ['docs/security.md'];

/** Folders and files of sources whose comments and texts must read plainly. Add a folder as soon as it has no hits. */
export const sources = [
  'examples',
  'bin',
  'packages/cli/src',
  'packages/daemon/src',
  'packages/sdk/src',
  'scripts',
  'test',
];
