import type { ApiKeyResource, Scope } from '@stanza/contracts';
import { useState } from 'react';
import { api } from '../api/operations.ts';
import { useActing } from '../api/session-context.ts';
import { useChange, useRead } from '../api/use-api.ts';
import { Allowed, useMay } from '../shell/allowed.tsx';
import { FilterSelect } from '../shell/filter-fields.tsx';
import { useFilters } from '../shell/use-filters.ts';
import { StateBadge } from '../ui/badge.tsx';
import { Button } from '../ui/button.tsx';
import { ChoiceList } from '../ui/choice-list.tsx';
import { ConfirmButton } from '../ui/confirm.tsx';
import { Copyable } from '../ui/copyable.tsx';
import { Dialog, FormEnd } from '../ui/dialog.tsx';
import { CheckField, SelectField, TextField } from '../ui/field.tsx';
import { Form, Pair } from '../ui/form.tsx';
import { FormDialog } from '../ui/form-dialog.tsx';
import { Listing } from '../ui/listing.tsx';
import { PageHead, Toolbar } from '../ui/page.tsx';
import { Empty } from '../ui/states.tsx';
import { Time } from '../ui/time.tsx';
import { purposes, usualScopes } from './key-purposes.ts';
import { chosenWords, scopeTexts } from './scope-texts.ts';

const states = { active: 'usable', expired: 'expired', revoked: 'revoked' } as const;

const Shown = ({ secret, onClose }: { secret: string; onClose: () => void }) => (
  <Dialog title="The key, shown once" onClose={onClose} shownOnce>
    <Form onSubmit={onClose}>
      <p>
        Copy it now, and put it where your program keeps its secrets. It is not stored here, and cannot be
        shown again.
      </p>
      <Copyable label="API key" text={secret} autoFocus />
      <FormEnd>
        <Button type="submit" look="primary">
          I have copied it
        </Button>
      </FormEnd>
    </Form>
  </Dialog>
);

const isSame = (one: ReadonlySet<Scope>, other: ReadonlySet<Scope>): boolean =>
  one.size === other.size && [...one].every((scope) => other.has(scope));

/** Chooses the scopes of a common purpose; they can be changed one by one afterwards. */
const PurposeChoice = ({
  chosen,
  onChoose,
}: {
  chosen: ReadonlySet<Scope>;
  onChoose: (chosen: ReadonlySet<Scope>) => void;
}) => {
  const { may } = useActing();
  // Whoever makes a key gives it no more than they may do themselves.
  const offered = purposes
    .map(([purpose, needed]) => [purpose, new Set(needed.filter((scope) => may(scope)))] as const)
    .filter(([, own]) => own.size > 0);
  const other = 'Something else';
  return (
    <SelectField
      label="What it is for"
      value={offered.find(([, own]) => isSame(own, chosen))?.[0] ?? other}
      options={[...offered.map(([purpose]) => purpose), other]}
      onChange={({ target }) =>
        onChoose(offered.find(([purpose]) => purpose === target.value)?.[1] ?? new Set())
      }
    />
  );
};

const ScopeChoice = ({
  chosen,
  onChoose,
}: {
  chosen: ReadonlySet<Scope>;
  onChoose: (chosen: ReadonlySet<Scope>) => void;
}) => {
  const { may } = useActing();
  const toggle = (scope: Scope): void => {
    const next = new Set(chosen);
    if (!next.delete(scope)) next.add(scope);
    onChoose(next);
  };
  const offered = scopeTexts.filter(([scope]) => may(scope));
  return (
    <>
      <p role="status">{chosenWords(chosen, offered.length)}</p>
      <ChoiceList
        legend="What it may do"
        search="Search scopes"
        choices={offered.map(([scope, allows]) => [scope, <code key={scope}>{scope}</code>, allows] as const)}
        isChosen={(scope) => chosen.has(scope)}
        onChoose={toggle}
      />
    </>
  );
};

/** The day here, as a date field has it; a key lives until the end of its last day. */
const today = (): string => {
  const now = new Date();
  return new Date(now.getTime() - now.getTimezoneOffset() * 60_000).toISOString().slice(0, 10);
};

const CreateKey = ({ onClose, onKey }: { onClose: () => void; onKey: (key: string) => void }) => {
  const { place } = useActing();
  const [name, setName] = useState('');
  const [expires, setExpires] = useState('');
  const [chosen, choose] = useState<ReadonlySet<Scope>>(usualScopes);
  const creating = useChange(api.createKey, ({ key }) => onKey(key));
  const create = (): void =>
    creating.mutate({
      body: {
        name,
        environment: place.environment,
        scopes: [...chosen],
        ...(expires !== '' && { expires_at: new Date(`${expires}T23:59:59`).toISOString() }),
      },
    });
  return (
    <FormDialog
      title="Create key"
      onClose={onClose}
      mutation={creating}
      submit="Create key"
      disabled={chosen.size === 0}
      isEntered={chosen !== usualScopes}
      onSubmit={create}
    >
      <Pair>
        <TextField
          label="Name"
          required
          hint="What will use it, like “Deploy pipeline”"
          value={name}
          onChange={({ target }) => setName(target.value)}
        />
        <TextField
          label="Ends after"
          type="date"
          min={today()}
          hint="May be left out"
          value={expires}
          onChange={({ target }) => setExpires(target.value)}
        />
      </Pair>
      <PurposeChoice chosen={chosen} onChoose={choose} />
      <ScopeChoice chosen={chosen} onChoose={choose} />
    </FormDialog>
  );
};

const Revoke = ({ apiKey }: { apiKey: ApiKeyResource }) => {
  const { place } = useActing();
  const [descendants, setDescendants] = useState(false);
  const revoking = useChange(api.revokeKey);
  const query = { environment: place.environment, descendants };
  return (
    <ConfirmButton
      label="Revoke"
      name={`Revoke ${apiKey.name}`}
      title={`Revoke ${apiKey.name}?`}
      act={() => revoking.mutateAsync({ params: { id: apiKey.id }, query })}
      change={revoking}
    >
      <p>Programs that use it are refused within a second. It cannot be taken back.</p>
      <CheckField
        label="Revoke the keys and invitations that it has made as well"
        checked={descendants}
        onChange={({ target }) => setDescendants(target.checked)}
      />
    </ConfirmButton>
  );
};

/** API keys of this environment. */
export const Keys = () => {
  const { place } = useActing();
  const { given, isSet, offset, set } = useFilters();
  const [isMaking, make] = useState(false);
  const [secret, showSecret] = useState<string>();
  const mayWrite = useMay('api-keys:write');
  const query = { offset, environment: place.environment, status: given('status') };
  return (
    <>
      <PageHead
        title="Keys"
        actions={
          <Allowed scope="api-keys:write" to="to create a key">
            <Button look="primary" onClick={() => make(true)}>
              Create key
            </Button>
          </Allowed>
        }
      >
        Programs act with API keys. A key belongs to the environment {place.environment}, and may do what its
        scopes say.
      </PageHead>
      <Toolbar label="Filter keys">
        <FilterSelect
          name="status"
          label="State"
          options={[['', 'Every state'], ...Object.entries(states)]}
        />
      </Toolbar>
      <Listing<ApiKeyResource>
        label="Keys"
        read={useRead(api.listKeys, { query })}
        rowKey={({ id }) => id}
        onOffset={(to) => set({ offset: to })}
        isFiltered={isSet('status')}
        columns={[
          { title: 'Name', cell: ({ name }) => <bdi>{name}</bdi> },
          { title: 'Begins with', cell: ({ key_prefix }) => <code>{key_prefix}…</code> },
          {
            title: 'May do',
            cell: ({ scopes }) => (
              <span title={scopes.join(', ')}>
                {scopes.length > 2
                  ? `${scopes.length} scopes`
                  : scopes.join(', ') || 'nothing: it has no scopes'}
              </span>
            ),
          },
          { title: 'State', cell: ({ status }) => <StateBadge state={states[status]} /> },
          { title: 'Last used', cell: ({ last_used_at }) => <Time at={last_used_at} /> },
          { title: 'Ends', cell: ({ expires_at }) => <Time at={expires_at} /> },
          {
            title: '',
            cell: (apiKey) => mayWrite && apiKey.status === 'active' && <Revoke apiKey={apiKey} />,
          },
        ]}
        empty={
          <Empty
            title="No key"
            action={mayWrite && <Button onClick={() => make(true)}>Create the first key</Button>}
          >
            Create one for each program, with the few scopes that it takes.
          </Empty>
        }
      />
      {isMaking && (
        <CreateKey
          onClose={() => make(false)}
          onKey={(key) => {
            make(false);
            showSecret(key);
          }}
        />
      )}
      {secret !== undefined && <Shown secret={secret} onClose={() => showSecret(undefined)} />}
    </>
  );
};
