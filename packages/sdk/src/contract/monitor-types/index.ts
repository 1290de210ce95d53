import type * as z from 'zod';
import { commonFields } from './common-fields.ts';
import type { ReadOnlyField, SecretPart } from './define-monitor-type.ts';
import { dns } from './dns.ts';
import { heartbeat } from './heartbeat.ts';
import { http } from './http.ts';
import { ping } from './ping.ts';
import { tcp } from './tcp.ts';
import type { Fault } from '../validate.ts';

/** Every type of monitor, in the order of lists and documents. */
export const monitorTypeDefinitions = { http, dns, tcp, ping, heartbeat };

type Definitions = typeof monitorTypeDefinitions;

export type MonitorType = keyof Definitions;

/** The types whose checks contact a target. */
export type ActiveMonitorType = TypesOfMode<'active'>;
/** The types of monitors that wait for pings. Such a monitor goes down if no ping arrives in time. */
export type PassiveMonitorType = TypesOfMode<'passive'>;

type TypesOfMode<Mode> = { [T in MonitorType]: Definitions[T]['mode'] extends Mode ? T : never }[MonitorType];

/** A monitor's fields with their defaults filled in, by type. */
export type MonitorFields<T extends MonitorType = MonitorType> = z.output<Definitions[T]['input']>;

export const monitorTypes = Object.keys(monitorTypeDefinitions) as [MonitorType, ...MonitorType[]];

/** The definition of any type, for code that treats all types alike. */
export interface MonitorTypeDefinition {
  type: MonitorType;
  label: string;
  mode: 'active' | 'passive';
  readOnly: readonly ReadOnlyField[];
  target: Readonly<Record<string, boolean>>;
  secrets: Readonly<Partial<Record<string, SecretPart>>>;
  errorCodes: Readonly<Record<string, number>>;
  rules?: Readonly<Record<string, ((value: never, path: string) => Fault[]) | undefined>>;
  rulesTogether?(fields: Partial<MonitorFields>): Fault[];
  address(fields: MonitorFields): string;
  addressInLists?(fields: MonitorFields): string;
  host(fields: MonitorFields): string | null;
  silenceMs?(fields: MonitorFields): number;
  certificate?: { isExpected(fields: MonitorFields): boolean; thresholdDays(fields: MonitorFields): number };
  domain?: { thresholdDays(fields: MonitorFields): number; expiresOn(fields: MonitorFields): string | null };
  sample: object;
  examples: readonly object[];
  input: z.ZodObject;
}

/** The definition of a type. */
export const monitorType = (type: MonitorType): MonitorTypeDefinition => monitorTypeDefinitions[type];

/** Returns the definition of a type that a server named. Null for a type that only a newer server knows. */
export const knownMonitorType = (type: string): MonitorTypeDefinition | null =>
  Object.hasOwn(monitorTypeDefinitions, type) ? monitorType(type as MonitorType) : null;

/** Whether a monitor waits for pings. Returns false for a monitor of an unknown type. */
export const isPassive = <M extends { type: MonitorType }>(monitor: M): monitor is M & { type: PassiveMonitorType } =>
  knownMonitorType(monitor.type)?.mode === 'passive';

export const passiveMonitorTypes = monitorTypes.filter((type): type is PassiveMonitorType => isPassive({ type }));
export const activeMonitorTypes = monitorTypes.filter((type): type is ActiveMonitorType => !isPassive({ type }));

/** Returns the names of the fields that this type has in addition to the common fields. */
export const ownFields = (type: MonitorType): string[] => {
  const common = commonFields(0);
  return Object.keys(monitorType(type).input.shape).filter((field) => field !== 'type' && !(field in common));
};

/** Why the stored secrets of a monitor cannot be read; null if they can be read, and for a type without secrets. */
export const secretsErrorOf = (monitor: object): string | null =>
  'secretsError' in monitor && typeof monitor.secretsError === 'string' ? monitor.secretsError : null;
