/** The version of this program. A test compares it to package.json. */
export const version = '0.1.0';
