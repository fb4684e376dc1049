import type { TemplateProposal } from '@stanza/contracts';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useEffectEvent, useMemo, useState } from 'react';
import { api } from '../api/operations.ts';
import { refreshRights } from '../api/rights-again.ts';
import { useSay } from '../api/say.ts';
import { useActing } from '../api/session-context.ts';
import { useRead } from '../api/use-api.ts';
import { useFilters } from '../shell/use-filters.ts';
import { textOf } from './document/document.ts';
import { draftCalls } from './drafts/api.ts';
import { bodyOfScreen, documentOfDraft } from './drafts/draft-body.ts';
import { DraftKeeper } from './drafts/draft-keeper.ts';
import { DraftNotices } from './drafts/draft-status.tsx';
import type { Opening } from './drafts/opening.ts';
import { useOthers } from './drafts/use-others.ts';
import styles from './editor.module.css';
import { EditorDialogs, type Opened } from './editor-dialogs.tsx';
import { AgentSends } from './inspector/agent-sends.tsx';
import { TemplateInspector } from './inspector/inspector.tsx';
import { TemplateKey } from './inspector/template-key.tsx';
import type { Sender } from './preview.tsx';
import { ProposalsNotice } from './proposals/proposals-notice.tsx';
import type { Saved } from './saved.ts';
import { Toolbar } from './toolbar.tsx';
import { useAuthors } from './use-authors.ts';
import { type Editing, useEditing } from './use-editing.ts';
import { type Loaded, useRefresh } from './versions/api.ts';
import { useGiven, Workbench } from './workbench.tsx';

/** Who posts the message, and how it writes numbers, as on the screen. */
const useSender = (editing: Editing, given: { locale?: string; timezone?: string }): Sender => {
  const { document } = editing.present;
  const username = textOf(document, 'user_name');
  const icon = textOf(document, 'icon_emoji');
  return useMemo(
    () => ({
      ...(username !== '' && { username }),
      ...(icon !== '' && { icon_emoji: icon }),
      locale: given.locale,
      timeZone: given.timezone,
    }),
    [username, icon, given.locale, given.timezone],
  );
};

/** A keeper as long as the editor is shown; none for those who may not write drafts. */
const useKeeper = (templateId: string, opening: Opening): DraftKeeper | undefined => {
  const { place, may } = useActing();
  const queries = useQueryClient();
  const mayWrite = may('templates:update');
  const [keeper] = useState(() =>
    mayWrite ? new DraftKeeper(draftCalls(place, templateId), opening.memory) : undefined,
  );
  useEffect(() => {
    if (keeper === undefined) return;
    keeper.open();
    const unsubscribe = keeper.subscribe(() => {
      const keeping = keeper.keeping();
      if (keeping.is === 'refused') refreshRights(queries, keeping.error);
    });
    const onVisibility = (): void => {
      if (window.document.visibilityState === 'hidden') keeper.hurry();
    };
    window.addEventListener('online', keeper.hurry);
    window.document.addEventListener('visibilitychange', onVisibility);
    return () => {
      window.removeEventListener('online', keeper.hurry);
      window.document.removeEventListener('visibilitychange', onVisibility);
      keeper.close();
      unsubscribe();
    };
  }, [keeper, queries]);
  return keeper;
};

/** One of two drafts goes on; the other one is one step back. */
const useChoice = (
  { template }: Loaded,
  saved: Saved,
  editing: Editing,
  keeper: DraftKeeper | undefined,
): { mine: () => void; theirs: () => void } => {
  const { keeping } = editing;
  const refresh = useRefresh();
  const theirs = keeping.is === 'apart' ? keeping.theirs : null;
  const document = theirs === null ? saved.document : documentOfDraft(template, theirs);
  return {
    mine: () => {
      const mine = editing.present.document;
      editing.change(document);
      editing.change(mine);
      keeper?.insist();
    },
    theirs: () => {
      const { trial } = editing;
      const base = theirs?.base_version_id ?? null;
      const data = theirs?.sample_data ?? trial.data;
      keeper?.adopt(
        theirs?.revision ?? null,
        theirs && bodyOfScreen(document, template, data, theirs.base_version_id),
      );
      editing.take(document, { trial: { ...trial, data }, base });
      if (theirs === null) void refresh();
    },
  };
};

/** Opens the proposal that the address names, once it is read. */
const useNamedProposal = (templateId: string, look: (proposal: TemplateProposal) => void): void => {
  const { given, set } = useFilters();
  const named = given('proposal');
  const open = useRead(
    api.listTemplateProposals,
    { params: { id: templateId }, query: { status: 'open' } },
    { enabled: named !== undefined },
  );
  const found = open.data?.data.find(({ id }) => id === named);
  const onFound = useEffectEvent((proposal: TemplateProposal): void => {
    look(proposal);
    set({ proposal: '' });
  });
  useEffect(() => {
    if (found) onFound(found);
  }, [found]);
};

/** The editor of a template that was read. */
export const Editor = ({
  loaded,
  saved,
  open,
}: {
  loaded: Loaded;
  saved: Saved;
  /** Chooses what is on the screen first; asked once. */
  open: () => Opening;
}) => {
  const { template, versions } = loaded;
  const [opening] = useState(open);
  const keeper = useKeeper(template.id, opening);
  const editing = useEditing(loaded, saved, opening, keeper);
  const authors = useAuthors();
  const { other, tookOver } = useOthers(loaded, saved, editing, keeper, authors);
  const choice = useChoice(loaded, saved, editing, keeper);
  const given = useGiven(editing);
  const sender = useSender(editing, given);
  const [opened, setOpened] = useState<Opened>();
  const say = useSay();
  // What was done before answers nothing that is asked from here on.
  const show = (next: Opened | undefined): void => {
    setOpened(next);
    if (next !== undefined) say(undefined);
  };
  const look = (proposal: TemplateProposal): void =>
    show({ dialog: 'live', target: { version: proposal.version_id, proposal } });
  useNamedProposal(template.id, look);
  const name = textOf(editing.present.document, 'name');
  useEffect(() => {
    window.document.title = `${name} · Stanza`;
  }, [name]);
  return (
    <div className={styles.editor}>
      <h1 className="visually-hidden">{name}</h1>
      <Toolbar loaded={loaded} editing={editing} onOpen={show} />
      <DraftNotices
        editing={editing}
        other={other}
        tookOver={tookOver}
        onBothSides={() => show({ dialog: 'sides' })}
        onDiscard={() => editing.take(saved.document, { trial: saved.trial, base: versions[0]?.id ?? null })}
      />
      <ProposalsNotice templateId={template.id} newestId={versions[0]?.id} onLook={look} />
      <Workbench
        templateId={template.id}
        editing={editing}
        given={given}
        sender={sender}
        settings={
          <TemplateInspector document={editing.present.document} onChange={editing.put}>
            <TemplateKey template={template} />
            <AgentSends template={template} />
          </TemplateInspector>
        }
      />
      <EditorDialogs
        opened={opened}
        onOpen={show}
        loaded={loaded}
        editing={editing}
        keeper={keeper}
        given={given}
        sender={sender}
        authors={authors}
        choice={choice}
        onSay={say}
      />
    </div>
  );
};
