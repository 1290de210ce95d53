/** Whether an address's host is a dotted name or an IPv4 address. Some providers refuse other hosts. */
export const hasDottedHost = (address: string): boolean => /[^.]\.[^.]/.test(URL.parse(address)?.hostname ?? '');
