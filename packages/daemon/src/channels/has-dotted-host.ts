/** Whether an address names its host by a dotted name or an IPv4 address. Some providers refuse all other hosts. */
export const hasDottedHost = (address: string): boolean => /[^.]\.[^.]/.test(URL.parse(address)?.hostname ?? '');
