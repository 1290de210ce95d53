import { createMonitorVault, type MonitorVault } from '../stored-monitors/monitor-vault.ts';
import { createSeal } from '../store/seal.ts';

/** A vault with a fixed secret key. */
export const testVault = (): MonitorVault => createMonitorVault(createSeal('the secret key of a test'));
