/** The texts of `helpTexts`. Empty in the sources: the build of the package adds them. */
export const storedHelp: Readonly<Record<string, string>> = {};
