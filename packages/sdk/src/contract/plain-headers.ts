/** Headers whose values are never credentials. */
const plainHeaders = new Set(
  `accept accept-charset accept-encoding accept-language cache-control connection content-encoding content-language
   content-type date dnt expect from host if-match if-modified-since if-none-match origin pragma range referer te
   upgrade-insecure-requests user-agent via`.split(/\s+/),
);

/** Whether the value of a request header may be shown. Any header that is not listed above may hold a credential. */
export const isPlainHeader = (name: string): boolean => plainHeaders.has(name.toLowerCase());
