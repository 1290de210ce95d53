import { describe, expect, test } from 'vitest';
import { statusPagePatch, validate, validateStatusPage } from './index.ts';

const base = { name: 'Shop', slug: 'shop' };
const faultsOf = (result: ReturnType<typeof validate>) =>
  result.ok ? [] : result.faults.map(({ path, code }) => `${path} ${code}`);
const checked = (change: object) => faultsOf(validateStatusPage({ ...base, ...change }));
const ids = (count: number) => Array.from({ length: count }, (_, n) => `mon_${n}`);

describe('a status page accepts', () => {
  test.each([
    ['a slug of one character', { slug: '1' }],
    ['a slug of 63 characters', { slug: `a${'-'.repeat(61)}z` }],
    ['1000 monitors', { monitorIds: ids(1000) }],
    ['a description of 500 characters', { description: 'x'.repeat(500) }],
    ['a web address as its home', { homeUrl: 'https://shop.example.com/' }],
    ['a web address as its icon', { iconUrl: 'http://shop.example.com/icon.svg' }],
    ['a colour', { accentColor: '#0A66c2' }],
    ['a label to group by', { groupBy: 'team' }],
    [
      'null in each field that has a default',
      { key: null, managedBy: null, customDomain: null, homeUrl: null, groupBy: null },
    ],
  ])('a status page accepts %s', (_, change) => expect(checked(change)).toEqual([]));
});

describe('a status page refuses', () => {
  test.each([
    ['a missing slug', { slug: undefined }, 'slug required'],
    ['an empty slug', { slug: '' }, 'slug bad_format'],
    ['a slug in capitals', { slug: 'Shop' }, 'slug bad_format'],
    ['a slug that begins with a dash', { slug: '-shop' }, 'slug bad_format'],
    ['a slug that ends with a dash', { slug: 'shop-' }, 'slug bad_format'],
    ['a slug with a slash', { slug: 'shop/eu' }, 'slug bad_format'],
    ['a slug of 64 characters', { slug: 'x'.repeat(64) }, 'slug bad_format'],
    ['1001 monitors', { monitorIds: ids(1001) }, 'monitorIds too_big'],
    ['null as monitors', { monitorIds: null }, 'monitorIds wrong_type'],
    ['a description of 501 characters', { description: 'x'.repeat(501) }, 'description bad_format'],
    ['a description on two lines', { description: 'a\nb' }, 'description bad_format'],
    ['an empty description', { description: '' }, 'description bad_format'],
    ['a script as its home', { homeUrl: 'javascript:alert(1)' }, 'homeUrl bad_format'],
    ['a home with a password', { homeUrl: 'https://ada:hush@shop.example.com' }, 'homeUrl public_credentials'],
    ['a home with a user', { homeUrl: 'https://ada@shop.example.com' }, 'homeUrl public_credentials'],
    ['a data: address as its icon', { iconUrl: 'data:image/png;base64,x' }, 'iconUrl bad_format'],
    ['an icon with a token', { iconUrl: 'https://ghp_1@cdn.example.com/i.png' }, 'iconUrl public_credentials'],
    ['an icon at port zero', { iconUrl: 'https://cdn.example.com:0/i.png' }, 'iconUrl bad_address_port'],
    ['the name of a colour', { accentColor: 'blue' }, 'accentColor bad_format'],
    ['a short colour', { accentColor: '#abc' }, 'accentColor bad_format'],
    ['a colour with transparency', { accentColor: '#0a66c2ff' }, 'accentColor bad_format'],
    ['a label name of 64 characters', { groupBy: 'x'.repeat(64) }, 'groupBy bad_format'],
    ['the field url, which only responses have', { url: 'https://h/' }, 'url unknown_field'],
  ])('a status page refuses %s', (_, change, fault) => expect(checked(change)).toEqual([fault]));
});

describe('a custom domain', () => {
  test.each([
    ['status.example.com', 'status.example.com'],
    ['Status.Example.COM', 'status.example.com'],
    ['example.com', 'example.com'],
    ['bücher.example', 'xn--bcher-kva.example'],
    ['1.example.com', '1.example.com'],
    ['a-b.example', 'a-b.example'],
  ])('the custom domain %s is returned as %s', (customDomain, kept) => {
    expect(validateStatusPage({ ...base, customDomain })).toMatchObject({ ok: true, value: { customDomain: kept } });
  });

  test.each([
    'localhost',
    'app.localhost',
    'example',
    '192.0.2.1',
    '::1',
    '[::1]',
    'https://status.example.com',
    'status.example.com:443',
    'status.example.com/shop',
    '*.example.com',
    '-a.example.com',
    'a-.example.com',
    'under_score.example.com',
    'status..example.com',
    'status.example.com.',
    '',
  ])('the custom domain %j is refused', (customDomain) =>
    expect(checked({ customDomain })).toEqual(['customDomain not_a_domain']),
  );

  test('a custom domain of 254 characters has only the fault too_big', () => {
    expect(checked({ customDomain: `${'x.'.repeat(123)}example1` })).toEqual(['customDomain too_big']);
  });
});

test('faults of the schema, of the domain and of the addresses are reported together', () => {
  expect(checked({ slug: '', customDomain: 'localhost', homeUrl: 'http://a@b/' })).toEqual([
    'slug bad_format',
    'customDomain not_a_domain',
    'homeUrl public_credentials',
  ]);
});

test.each([
  [{}, []],
  [{ customDomain: null, description: null, accentColor: null, monitorIds: null }, []],
  [{ slug: 'new-slug' }, []],
  [{ slug: 'New' }, ['slug bad_format']],
  [{ monitorIds: [1] }, ['monitorIds.0 wrong_type']],
  [{ colour: '#000000' }, ['colour unknown_field']],
])('the change %j of a status page has the faults %j', (patch, faults) => {
  expect(faultsOf(validate(statusPagePatch, patch))).toEqual(faults);
});

test.each([[null], [[]], ['shop'], [5]])('the input %j is not a status page', (input) => {
  expect(faultsOf(validateStatusPage(input))).toEqual([' wrong_type']);
});
