import type { Deadline } from '../checks/deadline.ts';
import type { Resolver } from '../checks/resolver.ts';
import { noneIfAbsent } from './none-if-absent.ts';

/** The TXT record that proves that a domain belongs to a project. */
export interface ProofRecord {
  name: string;
  value: string;
}

const prefix = 'uptime-project=';

export const proofRecord = (domain: string, project: string): ProofRecord => ({
  name: `_uptime.${domain}`,
  value: prefix + project,
});

/** Resolves with the projects in the TXT records of a domain. Throws a CheckFailure if the name servers fail. */
export async function provenProjects(domain: string, resolver: Resolver, deadline: Deadline): Promise<string[]> {
  const records = await resolver.records(`_uptime.${domain}`, 'TXT', null, deadline).catch(noneIfAbsent);
  return (records ?? [])
    .map((text) => text.trim())
    .filter((text) => text.startsWith(prefix))
    .map((text) => text.slice(prefix.length).trim());
}

/** Returns the instruction for the owner of a domain to add the TXT record, as the end of a sentence. */
export const proofAdvice = (domain: string, project: string): string => {
  const { name, value } = proofRecord(domain, project);
  return `add a TXT record ${name} with the value "${value}"`;
};
