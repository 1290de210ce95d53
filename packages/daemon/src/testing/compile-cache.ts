/**
 * The environment variable that makes Node cache compiled code, for programs that tests start from source. With the
 * cache a start takes half the time. Empty outside of `npm test`.
 */
export function compileCache(): Record<string, string> {
  const { NODE_COMPILE_CACHE: folder } = process.env;
  return folder === undefined ? {} : { NODE_COMPILE_CACHE: folder };
}
