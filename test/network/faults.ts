import { addresses } from './namespaces.ts';
import type { World } from './world.ts';

/** A fault of the checker's own network: how it begins, and how it ends. */
export interface NetworkFault {
  name: string;
  begin(world: World): Promise<unknown>;
  end(world: World): Promise<unknown>;
  /** The warning in health while the fault lasts. */
  report: RegExp;
  /** Whether the checker cannot even reach hosts on its own link, such as the server of a probe. */
  cutsLink?: true;
  /** Whether targets stay reachable during the fault. If so, an outage must be reported even during the fault. */
  leavesTargets?: true;
}

const addRoute = (world: World) => world.ip('checker', 'route', 'add', 'default', 'via', addresses.gateway);

/** The warning in health while the network is lost. Other faults do not cause it. */
const noNetwork = /The checker has no network/;
export const failingResolver = /own resolver fail/;
/** For example: "own resolver does not answer", "own resolver did not answer in time". */
export const silentResolver = /own resolver (?!fail)/;

/**
 * The order matters: the failing resolver comes between the lost networks and the silent resolver. Health shows the
 * latest checker fault for a minute, and often shows a lost network as a silent resolver. In another order, an old
 * report of a lost network could pass for a report of the silent resolver.
 */
export const networkFaults: readonly NetworkFault[] = [
  {
    name: 'the network link of the checker is down',
    report: noNetwork,
    cutsLink: true,
    begin: (world) => world.ip('checker', 'link', 'set', 'eth0', 'down'),
    async end(world) {
      await world.ip('checker', 'link', 'set', 'eth0', 'up');
      await addRoute(world);
    },
  },
  {
    name: 'the address of the checker is removed',
    report: noNetwork,
    cutsLink: true,
    begin: (world) => world.ip('checker', 'addr', 'flush', 'dev', 'eth0'),
    async end(world) {
      await world.ip('checker', 'addr', 'add', `${addresses.checker}/24`, 'dev', 'eth0');
      await addRoute(world);
    },
  },
  {
    name: 'the default route of the checker is deleted',
    report: noNetwork,
    begin: (world) => world.ip('checker', 'route', 'del', 'default'),
    end: addRoute,
  },
  {
    name: 'the cable of the checker is pulled',
    report: noNetwork,
    cutsLink: true,
    begin: (world) => world.ip('router', 'link', 'set', 'inner', 'down'),
    end: (world) => world.ip('router', 'link', 'set', 'inner', 'up'),
  },
  {
    name: 'the router drops every packet silently',
    report: noNetwork,
    begin: (world) => world.setForwarding(false),
    end: (world) => world.setForwarding(true),
  },
  {
    name: 'the router has no link to the targets, and returns an error for each packet',
    report: noNetwork,
    begin: (world) => world.ip('router', 'link', 'set', 'outer', 'down'),
    end: (world) => world.ip('router', 'link', 'set', 'outer', 'up'),
  },
  {
    name: 'the resolver of the checker fails for every name',
    report: failingResolver,
    begin: (world) => world.setResolver('fails'),
    end: (world) => world.setResolver('answers'),
    leavesTargets: true,
  },
  {
    name: 'the resolver of the checker does not answer',
    report: silentResolver,
    begin: (world) => world.setResolver('silent'),
    end: (world) => world.setResolver('answers'),
    leavesTargets: true,
  },
];
