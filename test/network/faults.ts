import { addresses } from './namespaces.ts';
import type { World } from './world.ts';

/** A fault of the checker's own network: how it begins, and how it ends. */
export interface NetworkFault {
  name: string;
  begin(world: World): Promise<unknown>;
  end(world: World): Promise<unknown>;
  /** Whether targets stay reachable during the fault. Then an outage must be reported even during the fault. */
  leavesTargets?: true;
}

const addRoute = (world: World) => world.ip('checker', 'route', 'add', 'default', 'via', addresses.gateway);

export const networkFaults: readonly NetworkFault[] = [
  {
    name: 'the network link of the checker is down',
    begin: (world) => world.ip('checker', 'link', 'set', 'eth0', 'down'),
    async end(world) {
      await world.ip('checker', 'link', 'set', 'eth0', 'up');
      await addRoute(world);
    },
  },
  {
    name: 'the address of the checker is removed',
    begin: (world) => world.ip('checker', 'addr', 'flush', 'dev', 'eth0'),
    async end(world) {
      await world.ip('checker', 'addr', 'add', `${addresses.checker}/24`, 'dev', 'eth0');
      await addRoute(world);
    },
  },
  {
    name: 'the default route of the checker is deleted',
    begin: (world) => world.ip('checker', 'route', 'del', 'default'),
    end: addRoute,
  },
  {
    name: 'the cable of the checker is pulled',
    begin: (world) => world.ip('router', 'link', 'set', 'inner', 'down'),
    end: (world) => world.ip('router', 'link', 'set', 'inner', 'up'),
  },
  {
    name: 'the router drops every packet silently',
    begin: (world) => world.setForwarding(false),
    end: (world) => world.setForwarding(true),
  },
  {
    name: 'the router has no link to the targets, and returns an error for each packet',
    begin: (world) => world.ip('router', 'link', 'set', 'outer', 'down'),
    end: (world) => world.ip('router', 'link', 'set', 'outer', 'up'),
  },
  {
    name: 'the resolver of the checker does not answer',
    begin: (world) => world.setResolver('silent'),
    end: (world) => world.setResolver('answers'),
    leavesTargets: true,
  },
  {
    name: 'the resolver of the checker fails for every name',
    begin: (world) => world.setResolver('fails'),
    end: (world) => world.setResolver('answers'),
    leavesTargets: true,
  },
];
