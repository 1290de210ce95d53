import { CliError, type ExitName } from '../exit.ts';
import { type Diagnostic, formatDiagnostic } from './diagnostic.ts';

/** The error for faults of a manifest, each with its place. The message lists all of them. */
export class ManifestFaults extends CliError {
  readonly faults: readonly Diagnostic[];

  constructor(message: string, faults: readonly Diagnostic[], options: { exit?: ExitName; next?: string }) {
    super([message, ...faults.map(formatDiagnostic)].join('\n'), options);
    this.faults = faults;
  }
}
