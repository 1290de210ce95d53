import { monitorInputs, monitorSecrets, monitorTypes } from '@uptime/sdk/contract';
import { expect, test } from 'vitest';
import { createSeal } from '../store/seal.ts';
import { monitorFields } from '../testing/watched-project.ts';
import { createMonitorVault } from './monitor-vault.ts';
import { fieldColumns, storedFields } from './stored-monitor.ts';

const canary = 'C4n4ryB1rd';
const vault = createMonitorVault(createSeal('one secret key'));
const fields = monitorFields({
  type: 'http',
  name: 'Shop',
  url: `https://ada:${canary}-password@shop.example/health?deep=1`,
  method: 'POST',
  headers: { Authorization: `Bearer ${canary}-token`, Accept: 'text/html' },
  body: `{"token":"${canary}-body"}`,
  labels: { team: 'ops' },
});
const row = { id: 'mon_1', ...vault.seal('mon_1', fields) };

test('the row that the vault makes contains no secret, and its fields without secrets are readable', () => {
  expect(row.config).not.toContain(canary);
  expect(storedFields(row)).toEqual({
    ...fields,
    url: 'https://shop.example/health?deep=1',
    headers: { Authorization: '', Accept: '' },
    body: null,
  });
});

test('the vault decrypts every secret, and each secret only for its own monitor and field', () => {
  expect(vault.open(row)).toEqual({ fields, unreadable: {} });
  // The second time, the decrypted fields come from memory.
  expect(vault.open(row)).toEqual({ fields, unreadable: {} });
  expect(Object.keys(vault.open({ ...row, id: 'mon_2' }).unreadable)).toEqual(['url', 'headers', 'body']);
  const { sealed, ...config } = JSON.parse(row.config) as { sealed: Record<string, string> };
  const swapped = { ...row, config: JSON.stringify({ ...config, sealed: { ...sealed, body: sealed['headers'] } }) };
  expect(Object.keys(vault.open(swapped).unreadable)).toEqual(['body']);
});

test('the vault returns a row unchanged if the row was stored before secrets were encrypted', () => {
  const old = { id: 'mon_1', ...fieldColumns(fields) };
  expect(vault.open(old)).toEqual({ fields, unreadable: {} });
});

test('with another secret key, fields without secrets are readable, and old secrets are stored again unchanged', () => {
  const other = createMonitorVault(createSeal('another secret key'));
  const opened = other.open(row);
  expect(opened.fields).toEqual(storedFields(row));
  const { body: _, ...kept } = opened.unreadable;
  const again = other.seal('mon_1', { ...opened.fields, body: 'new' } as typeof fields, kept);
  expect(other.open({ id: 'mon_1', ...again })).toEqual({
    fields: { ...storedFields(row), body: 'new' },
    unreadable: kept,
  });
  const { url, headers } = fields as { url: string; headers: object };
  expect(vault.open({ id: 'mon_1', ...again }).fields).toMatchObject({ url, headers });
});

test('the vault stores a monitor without secrets unchanged', () => {
  const plain = monitorFields({ type: 'http', name: 'Plain', url: 'https://shop.example/' });
  expect(vault.seal('mon_1', plain)).toEqual(fieldColumns(plain));
});

test('the vault encrypts each field that the contract lists as secret', () => {
  for (const type of monitorTypes) {
    for (const field of Object.keys(monitorSecrets[type])) {
      expect(Object.keys(monitorInputs[type].shape)).toContain(field);
      expect(Object.keys((JSON.parse(row.config) as { sealed: object }).sealed)).toContain(field);
    }
  }
});
