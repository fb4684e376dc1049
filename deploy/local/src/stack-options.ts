import type { ServiceName } from '@stanza/contracts';
import type { Detour } from './detours.ts';
import type { Progress } from './progress.ts';
import type { Build, Replicas } from './services.ts';
import type { FromSources } from './sources.ts';

/** Options of {@link startStack}. */
export interface StackOptions {
  /** Folder of its data, secrets and logs; one stack at a time runs in a folder. */
  directory: string;
  /** Port of the (first) gateway; 0, the default, takes any free port. */
  port?: number;
  /** Number of processes of each service; 1 unless given. */
  replicas?: Replicas;
  /** Builds of other versions, by the name of the process that runs them: `delivery-2`, for one. */
  builds?: Readonly<Record<string, Build>>;
  /**
   * True for one process with the first replica of every service, for small installations; false, the default, for a
   * process each.
   */
  small?: boolean;
  /** The services to run; all unless given. */
  services?: readonly ServiceName[];
  /** Variables that extend and override those of this process: settings, `DATABASE_URL`, `NATS_URL`, `OTEL_*` … */
  env?: Record<string, string | undefined>;
  /** True to create the demo organizations; by default true when all services run. */
  seed?: boolean;
  progress?: Progress;
  /** Routes each process of a service to its dependencies; direct unless given. */
  detour?: Detour;
  /** Called when a process has died and is restarted: its name and exit. */
  onRestart?: (name: string, how: string) => void;
  /** Called when a process keeps dying: its name, the deaths in a row, its last lines. */
  onCrashLoop?: (name: string, deaths: number, lines: string[]) => void;
  /** Runs services, sandbox and migrations from their sources; from their build unless given. */
  sources?: FromSources;
  /** Called when a process that runs from its source has died and stays down: its name and exit. */
  onDown?: (name: string, how: string) => void;
  /** Aborts the start and stops the processes that it has started. */
  signal?: AbortSignal;
}
