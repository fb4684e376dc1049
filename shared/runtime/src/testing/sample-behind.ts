/** A service whose schema lacks a migration, run as a process by tests. */
import type { MigrationInterface } from 'typeorm';
import { z } from 'zod';
import { runServices } from '../process/run-services.ts';
import { defineService } from '../process/service.ts';
import { commonSettings } from '../process/settings.ts';

class NeverApplied4102444800000 implements MigrationInterface {
  async up(): Promise<void> {}
  async down(): Promise<void> {}
}

const service = defineService({
  name: 'organization',
  settings: z.object(commonSettings),
  migrations: [NeverApplied4102444800000],
  declared: [],
  start: async () => ({ operations: [] }),
});

await runServices([service]);
