/**
 * Returns the environment variable that makes Node cache compiled code, for programs that tests start from source. With
 * the cache, a program starts in half the time. Outside of `npm test`, the object is empty.
 */
export function compileCache(): Record<string, string> {
  const { NODE_COMPILE_CACHE: folder } = process.env;
  return folder === undefined ? {} : { NODE_COMPILE_CACHE: folder };
}
