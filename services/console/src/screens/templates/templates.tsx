import type { Template } from '@stanza/contracts';
import { Link } from '@tanstack/react-router';
import { lazy, type ReactNode, Suspense, useState } from 'react';
import { useActing } from '../../api/session-context.ts';
import { TemplateActions } from '../../editor/template-actions.tsx';
import { Allowed, useMay } from '../../shell/allowed.tsx';
import { FilterSelect, FilterText } from '../../shell/filter-fields.tsx';
import { FilterOrder, useOrder } from '../../shell/order.tsx';
import { useFilters } from '../../shell/use-filters.ts';
import { StateBadge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Listing } from '../../ui/listing.tsx';
import { PageHead, Toolbar } from '../../ui/page.tsx';
import { Empty } from '../../ui/states.tsx';
import { Time } from '../../ui/time.tsx';
import { Attention, FirstSteps } from './first-steps.tsx';
import { NameBlank } from './name-blank.tsx';
import { PasteJson } from './paste-json.tsx';
import { PromoteButton } from './promote.tsx';
import { Proposals } from './proposals.tsx';
import styles from './templates.module.css';
import { stateOf, useTemplateList } from './use-template-list.ts';

const Gallery = lazy(async () => ({ default: (await import('./gallery.tsx')).Gallery }));

type Way = 'gallery' | 'blank' | 'paste';

/** The three ways to begin a template. */
const Ways = ({ onWay }: { onWay: (way: Way) => void }) => (
  <>
    <Button look="primary" data-begins onClick={() => onWay('gallery')}>
      Gallery
    </Button>
    <Button onClick={() => onWay('blank')}>Blank</Button>
    <Button onClick={() => onWay('paste')}>Paste JSON</Button>
  </>
);

const NewTemplate = ({ onClose, onWay }: { onClose: () => void; onWay: (way: Way) => void }) => (
  <Dialog title="New template" onClose={onClose}>
    <p className={styles.about}>
      The gallery has forty messages to begin with. Blank has one block. Paste what a block kit builder shows.
    </p>
    <div className={styles.ways}>
      <Ways onWay={onWay} />
    </div>
  </Dialog>
);

const Filters = () => {
  return (
    <Toolbar label="Filter templates">
      <FilterText name="q" label="Search" placeholder="Part of the name" />
      <FilterSelect
        name="state"
        label="State"
        options={[['', 'Draft and live'], 'draft', 'live', 'archived']}
      />
      <FilterOrder />
    </Toolbar>
  );
};

const NothingYet = ({ children }: { children: ReactNode }) => (
  <Empty
    title="No template yet"
    action={
      <Allowed scope="templates:create" to="to create a template">
        {children}
      </Allowed>
    }
  >
    A template is a message with placeholders. You write how it looks; people and programs send it with data.
  </Empty>
);

/** The templates of this environment. */
export const Templates = () => {
  const { place } = useActing();
  const { given, set } = useFilters();
  const [way, choose] = useState<Way | 'new'>();
  const mayWrite = useMay('templates:update');
  const read = useTemplateList();
  const isFiltered = given('q') !== undefined || given('state') !== undefined;
  const close = (): void => choose(undefined);
  return (
    <>
      <PageHead
        title="Templates"
        actions={
          <>
            <PromoteButton />
            <Allowed scope="templates:create" to="to create a template">
              <Button look="primary" onClick={() => choose('new')}>
                New template
              </Button>
            </Allowed>
          </>
        }
      >
        Messages with placeholders. What is live can be sent: by you, a schedule, a queue or a program.
      </PageHead>
      <Attention />
      <Proposals />
      <Filters />
      <Listing<Template>
        label="Templates"
        read={read}
        rowKey={({ id }) => id}
        onOffset={(to) => set({ offset: to })}
        order={useOrder()}
        columns={[
          {
            title: 'Name',
            sort: 'name',
            cell: ({ id, name, description }) => (
              <>
                <Link
                  to="/$organization/$environment/templates/$template"
                  params={{ ...place, template: id }}
                >
                  {name}
                </Link>
                {description && <div className={styles.description}>{description}</div>}
              </>
            ),
          },
          { title: 'Key', cell: ({ key }) => <code title={key}>{key}</code> },
          { title: 'State', cell: (template) => <StateBadge state={stateOf(template)} /> },
          { title: 'Changed', sort: '-updated_at', cell: ({ updated_at }) => <Time at={updated_at} /> },
          { title: '', cell: (template) => mayWrite && <TemplateActions template={template} /> },
        ]}
        empty={
          isFiltered ? (
            <Empty title="No template matches">Search for another part of the name, or another state.</Empty>
          ) : (
            <NothingYet>
              <Ways onWay={choose} />
            </NothingYet>
          )
        }
      />
      {!isFiltered && <FirstSteps templates={read.data?.pagination.total} />}
      {way === 'new' && <NewTemplate onClose={close} onWay={choose} />}
      {way === 'blank' && <NameBlank onClose={close} />}
      {way === 'paste' && <PasteJson onClose={close} />}
      {way === 'gallery' && (
        <Suspense>
          <Gallery onClose={close} />
        </Suspense>
      )}
    </>
  );
};
