/** An element of an XML document. */
export interface XmlElement {
  name: string;
  attributes: Readonly<Record<string, string>>;
  children: readonly XmlElement[];
  text: string;
}

const entities: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'" };
/** The characters that XML 1.0 allows. Other characters are not allowed even if they are escaped. */
const allowed = /^[\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]*$/u;
const attribute = /\s+([A-Za-z_][\w.-]*)="([^"<]*)"/y;
const opening = /<([A-Za-z_][\w.-]*)/y;

/**
 * Parses XML strictly: elements, attributes in double quotes, text, and the escapes of `escapeMarkup`. Throws an error
 * if the XML is not well-formed. Also throws for CDATA, comments and document types, which the reports never contain.
 */
export function readXml(xml: string): XmlElement {
  if (!allowed.test(xml)) throw new Error('The document has a character that XML does not allow.');
  const [declaration = ''] = /^<\?xml version="1\.0" encoding="UTF-8"\?>\n/.exec(xml) ?? [];
  if (declaration === '') throw new Error('The document has no XML declaration.');
  let at = declaration.length;
  const fail = (expected: string): never => {
    throw new Error(`Expected ${expected} at ${at}: ${JSON.stringify(xml.slice(at, at + 60))}`);
  };
  const take = (pattern: RegExp): RegExpExecArray | null => {
    pattern.lastIndex = at;
    const found = pattern.exec(xml);
    if (found) at = pattern.lastIndex;
    return found;
  };
  const plain = (text: string): string => {
    if (text.includes(']]>')) fail('no `]]>` in a text');
    return text.replaceAll(/&(#?\w*;?)/g, (_, entity: string) => {
      const sign = entity.endsWith(';') ? entities[entity.slice(0, -1)] : undefined;
      return sign ?? fail(`an entity instead of &${entity}`);
    });
  };

  const readElement = (): XmlElement => {
    const name = take(opening)?.[1] ?? fail('an element');
    const attributes: Record<string, string> = {};
    for (let found = take(attribute); found; found = take(attribute)) {
      const [, key = '', value = ''] = found;
      if (key in attributes) fail(`${key} only once`);
      attributes[key] = plain(value);
    }
    const element = { name, attributes, children: [] as XmlElement[], text: '' };
    if (take(/\/>/y)) return element;
    if (!take(/>/y)) fail('the end of a tag');
    for (;;) {
      element.text += plain(take(/[^<]*/y)![0]);
      const end = take(/<\/([\w.-]+)>/y)?.[1];
      if (end === name) return element;
      if (end !== undefined) fail(`</${name}>`);
      element.children.push(readElement());
    }
  };

  const root = readElement();
  if (xml.slice(at).trim() !== '') fail('the end of the document');
  return root;
}
