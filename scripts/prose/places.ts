/** Pages and folders of pages that `npm run check:prose` reads. The texts of generated pages are in the sources. */
export const pages = [
  'README.md',
  'CHANGELOG.md',
  'CONTRIBUTING.md',
  'SECURITY.md',
  'bench/README.md',
  'docs',
  'packages/sdk/README.md',
];

/**
 * Folders and files of sources. The check reads their comments and texts, and in tests the comments and titles. Add a
 * folder when the check finds nothing in it any more.
 */
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
