import { addresses } from './namespaces.ts';
import type { World } from './world.ts';

/** A fault of the checker's own network, and its end. */
export interface NetworkFault {
  name: string;
  begin(world: World): Promise<unknown>;
  end(world: World): Promise<unknown>;
  /** Whether targets stay reachable. Then an outage must be reported during the fault, too. */
  leavesTargets?: true;
}

const addRoute = (world: World) => world.ip('checker', 'route', 'add', 'default', 'via', addresses.gateway);

export const networkFaults: readonly NetworkFault[] = [
  {
    name: 'its link is down',
    begin: (world) => world.ip('checker', 'link', 'set', 'eth0', 'down'),
    async end(world) {
      await world.ip('checker', 'link', 'set', 'eth0', 'up');
      await addRoute(world);
    },
  },
  {
    name: 'its address is removed',
    begin: (world) => world.ip('checker', 'addr', 'flush', 'dev', 'eth0'),
    async end(world) {
      await world.ip('checker', 'addr', 'add', `${addresses.checker}/24`, 'dev', 'eth0');
      await addRoute(world);
    },
  },
  {
    name: 'its default route is deleted',
    begin: (world) => world.ip('checker', 'route', 'del', 'default'),
    end: addRoute,
  },
  {
    name: 'its cable is pulled',
    begin: (world) => world.ip('router', 'link', 'set', 'inner', 'down'),
    end: (world) => world.ip('router', 'link', 'set', 'inner', 'up'),
  },
  {
    name: 'the uplink behind its router drops everything',
    begin: (world) => world.setForwarding(false),
    end: (world) => world.setForwarding(true),
  },
  {
    name: 'the router has no way out, and says so',
    begin: (world) => world.ip('router', 'link', 'set', 'outer', 'down'),
    end: (world) => world.ip('router', 'link', 'set', 'outer', 'up'),
  },
  {
    name: 'its resolver is dead',
    begin: (world) => world.setResolver('silent'),
    end: (world) => world.setResolver('answers'),
    leavesTargets: true,
  },
  {
    name: 'its resolver fails for every name',
    begin: (world) => world.setResolver('fails'),
    end: (world) => world.setResolver('answers'),
    leavesTargets: true,
  },
];
