/**
 * The sentence of each fault, by its code. Every code is listed here. A program must recognize a fault by its code and
 * parameters, never by its sentence.
 */

/** Whether sentences name types as in JSON (`an array`) or as in YAML (`a list`). */
export type Nouns = 'json' | 'yaml';

/**
 * `format` names the valid values of a field, such as `an e-mail address`. It is the `error` of the schema; null if the
 * schema has none. A format is more precise than the other parameters of a fault, so it replaces them in the sentence.
 */
interface Format {
  format: string | null;
}

interface Bound extends Format {
  /** The unit of the limit. */
  of: 'characters' | 'entries' | 'value';
  limit: number | bigint;
}

interface Counted {
  maxCount: number;
  count: number;
}

/**
 * The advice about an exceeded limit of a plan. An object names a plan with higher limits, and its price in US dollars a
 * month. `none`: no plan allows the request. `delete`: the server has no payments, so the user has to delete something.
 */
export type PlanRemedy = { plan: string; price: number } | 'none' | 'delete';

interface Choices {
  choices: readonly string[];
  /** The types that the field also allows. */
  types: readonly string[];
}

/** The plan whose limit a request exceeds. */
export interface PlanLimitParams {
  plan: string;
  /** Null if another fault of the same answer has the remedy. */
  remedy: PlanRemedy | null;
}

export const faultSentences = {
  // Faults that a schema finds.
  required: ({ format }: Format) => (format === null ? 'is required' : `must be ${format}`),
  wrong_type: ({ expected, format }: Format & { expected: readonly string[] }, nouns: Nouns) =>
    `must be ${format ?? expected.map((type) => nounOf(type, nouns)).join(' or ')}`,
  not_a_choice: ({ choices, types, format }: Format & Choices, nouns: Nouns) =>
    `must be ${format ?? [`one of ${choices.join(', ')}`, ...types.map((type) => nounOf(type, nouns))].join(', or ')}`,
  too_small: (bound: Bound) =>
    bound.format === null ? `must ${measure('at least', bound)}` : `must be ${bound.format}`,
  too_big: (bound: Bound) => (bound.format === null ? `must ${measure('at most', bound)}` : `must be ${bound.format}`),
  bad_format: ({ format }: { format: string }) => `must be ${format}`,
  bad_name: ({ format }: { format: string }) => `must be ${format}`,
  unknown_field: ({ meant }: { meant: string | null }) =>
    meant === null ? 'unknown field' : `unknown field; did you mean \`${meant}\`?`,
  forbidden_name: () => 'is not allowed as a name',
  half_character: () => 'must not contain half a surrogate pair',
  more_faults: ({ count }: { count: number }) => `has ${count} more ${count === 1 ? 'fault' : 'faults'}`,

  // Rules of fields.
  not_an_address: () => 'must be a full http:// or https:// address',
  bad_address_host: () => 'must name a host: parts of letters, digits, - and _, with dots between, or an IP address',
  bad_address_port: () => 'must name a port from 1 to 65535',
  too_many_entries: ({ maxCount, count }: Counted) => `must have at most ${maxCount} entries, not ${count}`,
  headers_too_long: ({ maxCount, count }: Counted) =>
    `must have at most ${maxCount} characters in its names and values together, not ${count}`,
  reserved_header: () => 'cannot be set: the daemon writes this header itself',
  repeated_header: ({ same }: { same: string }) => `names the same header as \`${same}\``,
  host_with_port: () => 'must be a host name or an IP address, without a port',
  bad_host: ({ emptyPart }: { emptyPart: boolean }) =>
    `must be a host name or an IP address: ${emptyPart ? 'a part between dots is empty' : 'parts of letters, digits, - and _, with dots between'}`,
  bad_name_server: () => 'must be host[:port], such as 9.9.9.9 or [2620:fe::fe]:53',
  backward_range: ({ low, high }: { low: number; high: number }) =>
    `must be a range from low to high, not ${low}-${high}`,
  no_response_body: () => 'cannot be used with method HEAD, whose response has no body: use GET',
  public_credentials: () => 'must not contain a user name or password: the page is public',
  not_a_domain: () => 'must be a domain name such as status.example.com, without scheme, port, path or wildcard',
  own_host: ({ host }: { host: string }) => `must not be the service's own host, ${host}`,
  only_for_monitor_down: ({ trigger }: { trigger: string }) =>
    `is for \`monitor_down\` only: leave it out with \`${trigger}\``,
  only_for_windows: () => 'is only for maintenance windows: set `maintenance` to true',
  required_for_windows: () => 'is required for a maintenance window',
  not_after: ({ field }: { field: string }) => `must be after \`${field}\``,
  not_in_future: () => 'must be in the future',
  not_before: ({ field }: { field: string }) => `must not be after \`${field}\``,
  common_password: () => 'must not be one of the most common passwords',
  bad_price: () => 'must be US dollars with at most two decimals',
  unknown_plan: () => 'must be the id of a plan; GET /api/billing/plans lists them',
  unknown_id: ({ kind, id }: { kind: string; id: string }) =>
    `must be the id of a ${kind} of this project, and ${id} is not`,
  wrong_code: ({ triesLeft }: { triesLeft: number }) => `is not the code that was sent; tries left: ${triesLeft}`,

  // Rules about a stored resource.
  read_only: () => 'is read-only: leave it out, or send it back unchanged',
  fixed_type: ({ type }: { type: string }) => `cannot be changed: this monitor is of type ${type}`,
  masked: () => 'is masked: send the value itself, or leave the field out to keep the stored value',
  secrets_required: ({ secrets }: { secrets: readonly string[] }) =>
    `cannot change without the secrets that are sent there: send ${listed(secrets)} again in the same request, or null to remove them`,

  // Limits of plans.
  too_many_monitors: ({ plan, maxCount, count, remedy }: PlanLimitParams & Counted) =>
    `The plan ${plan} allows ${maxCount} monitors, and this is number ${count}.${after(remedy)}`,
  interval_too_short: ({
    plan,
    minInterval,
    asked,
    remedy,
  }: PlanLimitParams & { minInterval: number; asked: number }) =>
    `must be at least ${minInterval} with the plan ${plan}, not ${asked}.${after(remedy)}`,
  too_many_regions: ({ plan, maxCount, count, remedy }: PlanLimitParams & Counted) =>
    `must be at most ${maxCount} with the plan ${plan}, not ${count}.${after(remedy)}`,
  too_many_things: ({
    plan,
    things,
    scope,
    maxCount,
    count,
    remedy,
  }: PlanLimitParams & Counted & { things: string; scope: 'account' | 'project' }) =>
    `The plan ${plan} allows ${maxCount} ${things} ${an(scope)}; this ${scope} has ${count}.${after(remedy)}`,
  too_much_storage: ({
    plan,
    things,
    scope,
    maxUsed,
    used,
    added,
    remedy,
  }: PlanLimitParams & {
    things: string;
    scope: 'account' | 'project';
    maxUsed: number;
    used: number;
    added: number;
  }) =>
    `The plan ${plan} allows ${maxUsed} ${things} ${an(scope)}; this ${scope} uses ${used.toFixed(2)}, and this request adds ${added.toFixed(2)}.${after(remedy)}`,

  // Faults of a request as a whole.
  no_body: () => 'a JSON body is required',
  not_utf8: () => 'must be UTF-8',
  not_json: () => 'must be valid JSON',
  not_flat: () => 'must be a flat JSON object',
  repeated_key: ({ key }: { key: string }) => `must not have a key twice: ${JSON.stringify(key)}`,
  too_deep: ({ maxDepth }: { maxDepth: number }) => `must not be nested more than ${maxDepth} levels deep`,
  field_name_too_long: ({ maxBytes }: { maxBytes: number }) =>
    `must have no field whose name is longer than ${maxBytes} bytes`,
  too_many_fields: ({ maxFields }: { maxFields: number }) =>
    `must have at most ${maxFields} fields, counting nested ones`,
  too_many_values: ({ maxValues }: { maxValues: number }) =>
    `must have at most ${maxValues} values, counting nested ones`,
  nul_character: () => 'must not contain a NUL character',
  given_twice: () => 'is given more than once: give it once',
  bad_cursor: () => 'must be a cursor from the Link header of this list',
  bad_idempotency_key: () => 'must be 1 to 255 visible ASCII characters',
  project_required: () => 'is required with a session: name the project in this header',
  not_an_event: ({ fields }: { fields: readonly string[] }) =>
    `must be an event in Stripe's format${fields.length === 0 ? '' : `; these fields are missing or wrong: ${fields.join(', ')}`}`,
  bad_signature: () => 'must be a valid signature of this body, at most 300 seconds old',
} satisfies Record<string, (params: never, nouns: Nouns) => string>;

const yamlNouns: Record<string, string> = {
  object: 'a map',
  record: 'a map',
  array: 'a list',
  boolean: 'true or false',
  string: 'text',
};

function nounOf(type: string, nouns: Nouns): string {
  if (nouns === 'yaml' && Object.hasOwn(yamlNouns, type)) return yamlNouns[type]!;
  if (type === 'int') return 'a whole number';
  return type === 'record' ? 'a JSON object' : `${/^[aeiou]/.test(type) ? 'an' : 'a'} ${type}`;
}

function measure(bound: string, { of, limit }: Bound): string {
  if (of === 'value') return `be ${bound} ${limit}`;
  if (of === 'characters') return `be ${bound} ${limit} ${limit === 1 ? 'character' : 'characters'}`;
  return `have ${bound} ${limit} ${limit === 1 ? 'entry' : 'entries'}`;
}

const an = (scope: 'account' | 'project') => (scope === 'account' ? 'an account' : 'a project');

function after(remedy: PlanRemedy | null): string {
  if (remedy === null) return '';
  if (remedy === 'delete') return ' Delete some, or ask the operator of this server.';
  if (remedy === 'none') return ' No plan has room for it.';
  return ` The plan ${remedy.plan} (${remedy.price} USD a month) has room for it.`;
}

/** Returns a text with at most three of the names, because a channel may have fifty headers. */
function listed(fields: readonly string[]): string {
  const shown = fields.slice(0, 3).map((field) => `\`${field}\``);
  const more = fields.length - shown.length;
  return more > 0 ? `${shown.join(', ')} and ${more} more` : shown.join(' and ');
}
