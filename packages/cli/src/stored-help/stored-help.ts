/**
 * The help texts from `helpTexts` in help-texts.ts. They are empty in the source code; the build of the package adds
 * them.
 */
export const storedHelp: Readonly<Record<string, string>> = {};
