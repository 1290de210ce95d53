import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { messageSettings } from './message-settings.ts';

const { confirmAddresses, ...limits } = messageSettings;

test('the table of limits in docs/channels.md has the defaults of the settings', async () => {
  const text = await readFile(new URL('../../../../docs/channels.md', import.meta.url), 'utf8');
  const rows = text.split('\n').filter((line) => line.startsWith('| '));
  const inWords = (value: string) => (value === 'off' ? 'none' : Number(value).toLocaleString('en'));
  for (const { env, default: usual, publicDefault } of Object.values(limits)) {
    const cells = rows.find((row) => row.includes(`\`${env}\``))?.split('|') ?? [];
    expect(cells[2], env).toContain(inWords(usual ?? 'off'));
    expect(cells[3], env).toContain(inWords(publicDefault ?? usual ?? 'off'));
  }
  expect(text).toContain(confirmAddresses.env);
});
