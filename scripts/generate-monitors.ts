// Generates the example of every monitor type, from the definitions in the contract.
import { monitorType, monitorTypes, ownFields } from '@uptime/sdk/contract';
import { Document, isScalar, visit } from 'yaml';
import type * as z from 'zod';

/** Returns examples/all-types/monitors.yaml: the examples of every type. Comments describe the fields of the type. */
export const monitorsExample = (): string =>
  `# Every type of monitor with all of its fields. A missing field has its default.
# Generated from packages/sdk/src/contract/monitor-types by \`npm run generate\`. Do not edit.
monitors:
${monitorTypes.flatMap((type) => monitorType(type).examples.map((example) => entryOf(type, example))).join('\n')}`;

function entryOf(type: (typeof monitorTypes)[number], example: object): string {
  const { key, name, description, ...fields } = example as Record<string, unknown>;
  const document = new Document([{ key, name, type, ...(description !== undefined && { description }), ...fields }]);
  const { shape } = monitorType(type).input;
  const own = ownFields(type);
  visit(document, {
    Pair(_key, { key, value }) {
      if (!isScalar(key) || !isScalar(value) || !own.includes(String(key.value))) return;
      value.comment = ` ${(shape[String(key.value)] as z.ZodType).description}`;
    },
  });
  return document.toString({ lineWidth: 0, singleQuote: true }).replaceAll(/^(?=.)/gm, '  ');
}
