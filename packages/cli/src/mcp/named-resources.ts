import type { Server } from '../connection.ts';
import { alerts } from '../nouns/alerts.ts';
import { channels } from '../nouns/channels.ts';
import { incidents } from '../nouns/incidents.ts';
import { monitors } from '../nouns/monitors.ts';
import { pages } from '../nouns/pages.ts';
import { rules } from '../nouns/rules.ts';

/** The kinds of resources that have an id and a key or name. */
export const namedResources = [monitors, channels, rules, alerts, incidents, pages];

/**
 * Returns the id of a resource with this id, key or name. For a kind that is not in `namedResources`, `name` is already
 * the id.
 */
export async function findByName(of: string, name: string, connected: Server): Promise<string> {
  const noun = namedResources.find(({ word }) => word === of);
  return noun ? (await noun.find(name, connected)).id : name;
}
