/** Whether a header or label goes by a name that usually holds a credential. */
export const isSensitive = (path: string): boolean =>
  /^(?:headers|labels)\..*(?:auth|cookie|token|key|secret|passw|signature|credential)/i.test(path);

/** A value fit for showing: the password in an address is left out. */
export const withoutPassword = (text: string): string =>
  text.replace(/^([a-z][a-z0-9+.-]*:\/\/[^\s/?#:@]*):[^\s/?#@]+@/i, '$1:…@');
