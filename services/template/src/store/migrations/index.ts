import type { Migration } from '@stanza/runtime';
import { Templates1795219200000 } from './1795219200000-templates.ts';
import { TemplateDefaults1795300000050 } from './1795300000050-template-defaults.ts';
import { Entities1795300000051 } from './1795300000051-entities.ts';
import { Search1795300000052 } from './1795300000052-search.ts';
import { Modals1795300000060 } from './1795300000060-modals.ts';
import { SearchBehindTheWall1800000700001 } from './1800000700001-search-behind-the-wall.ts';
import { LastArchived1800060000001 } from './1800060000001-last-archived.ts';
import { Keys1800080000001 } from './1800080000001-keys.ts';
import { Drafts1800090100001 } from './1800090100001-drafts.ts';
import { Proposals1800190000002 } from './1800190000002-proposals.ts';
import { Authors1800200000001 } from './1800200000001-authors.ts';
import { AgentSends1800310000019 } from './1800310000019-agent-sends.ts';
import { ContentBytes1800330000020 } from './1800330000020-content-bytes.ts';
import { VersionBytes1800330000021 } from './1800330000021-version-bytes.ts';
import { SampleDataBytes1800330000022 } from './1800330000022-sample-data-bytes.ts';
import { ModalVersionBytes1800330000023 } from './1800330000023-modal-version-bytes.ts';
import { InboxVacuum1800360000004 } from './1800360000004-inbox-vacuum.ts';

/** The migrations of the schema, oldest first. */
export const migrations: Migration[] = [
  Templates1795219200000,
  TemplateDefaults1795300000050,
  Entities1795300000051,
  Search1795300000052,
  Modals1795300000060,
  SearchBehindTheWall1800000700001,
  LastArchived1800060000001,
  Keys1800080000001,
  Drafts1800090100001,
  Proposals1800190000002,
  Authors1800200000001,
  AgentSends1800310000019,
  ContentBytes1800330000020,
  VersionBytes1800330000021,
  SampleDataBytes1800330000022,
  ModalVersionBytes1800330000023,
  InboxVacuum1800360000004,
];
