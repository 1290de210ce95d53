/** The texts of `helpTexts`. Empty here: the build of the package puts them in. */
export const storedHelp: Readonly<Record<string, string>> = {};
