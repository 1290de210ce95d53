/**
 * The kinds of work that the nodes of an installation divide among themselves. A single node with every role is a
 * complete installation.
 */
export const allRoles = ['api', 'checker', 'deliver', 'housekeeping'] as const;

export type Role = (typeof allRoles)[number];

/** A running daemon of an installation. */
export interface ServingNode {
  /** The name of the node, unique on its database. The name stays the same after a restart. */
  name: string;
  /** The number of the region that the node checks from. */
  region: number;
  roles: readonly Role[];
}

/** Returns the text that a database column stores for roles. */
export const rolesToText = (roles: readonly Role[]): string => roles.join(',');

/** Returns the roles in a text that `rolesToText` made. Leaves out roles that only other versions know. */
export const rolesFromText = (text: string): Role[] => allRoles.filter((role) => text.split(',').includes(role));

const missing: Record<Role, string> = {
  api: 'No node serves the API, pings and pages.',
  checker: 'No node runs checks or finds silent heartbeats.',
  deliver: 'No node delivers alerts.',
  housekeeping: 'No node does the housekeeping: maintenance windows do not end, and old data stays.',
};

/** Returns a warning for each role that no node has. Each warning says how to start a node with that role. */
export function unservedRoles(nodes: readonly Pick<ServingNode, 'roles'>[]): string[] {
  return allRoles
    .filter((role) => !nodes.some(({ roles }) => roles.includes(role)))
    .map((role) => `${missing[role]} Start a node with this role: \`uptimed serve --roles ${role}\`.`);
}
