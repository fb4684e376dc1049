import type { ChatConnection } from '@stanza/contracts';
import { useState } from 'react';
import { api } from '../api/operations.ts';
import { ApiError } from '../api/request.ts';
import { useActing } from '../api/session-context.ts';
import { useChange, useRead } from '../api/use-api.ts';
import { Badge, StateBadge } from '../ui/badge.tsx';
import { Button } from '../ui/button.tsx';
import { ConfirmButton } from '../ui/confirm.tsx';
import { FormEnd } from '../ui/dialog.tsx';
import { Facts } from '../ui/facts.tsx';
import { TextField } from '../ui/field.tsx';
import { Problem } from '../ui/form.tsx';
import { FormDialog } from '../ui/form-dialog.tsx';
import { Answer } from '../ui/listing.tsx';
import { Card, PageHead } from '../ui/page.tsx';
import { Empty } from '../ui/states.tsx';
import { Time } from '../ui/time.tsx';
import { TestTargets } from './connections-test-targets.tsx';

const TokenDialog = ({ onClose }: { onClose: () => void }) => {
  const [token, setToken] = useState('');
  const replacing = useChange(api.replaceConnection, onClose);
  return (
    <FormDialog
      title="Connect with a bot token"
      onClose={onClose}
      mutation={replacing}
      submit="Connect"
      onSubmit={() => replacing.mutate({ body: { bot_token: token.trim() } })}
    >
      <TextField
        label="Bot token"
        type="password"
        autoComplete="off"
        required
        value={token}
        hint="It is stored encrypted and never shown. A token that the platform refuses changes nothing."
        onChange={({ target }) => setToken(target.value)}
      />
    </FormDialog>
  );
};

const ConnectButtons = ({ again = false }: { again?: boolean }) => {
  const [asksToken, askToken] = useState(false);
  const installing = useChange(api.installConnection, ({ url }) => window.location.assign(url));
  return (
    <>
      <Button
        look={again ? 'plain' : 'primary'}
        busy={installing.isPending}
        onClick={() => installing.mutate({})}
      >
        {again ? 'Connect again' : 'Connect a workspace'}
      </Button>
      <Button onClick={() => askToken(true)}>Use a bot token</Button>
      <Problem error={installing.error} />
      {asksToken && <TokenDialog onClose={() => askToken(false)} />}
    </>
  );
};

const Connected = ({ connection }: { connection: ChatConnection }) => {
  const testing = useChange(api.testConnection);
  const disconnecting = useChange(api.deleteConnection);
  return (
    <Card>
      <h2>{connection.workspace_name}</h2>
      <Facts
        of={[
          [
            'State',
            connection.state === 'active' ? (
              <Badge key="state" tone="good">
                connected
              </Badge>
            ) : (
              <StateBadge key="state" state={connection.state} />
            ),
          ],
          ['Refused with', connection.refusal],
          ['Checked', <Time key="checked" at={connection.last_checked_at} />],
          ['Left alone for a moment', connection.breakers.map(({ calls }) => calls).join(', ')],
        ]}
      />
      <details>
        <summary>Ids and rights</summary>
        <Facts
          of={[
            ['Workspace', <code key="workspace">{connection.workspace_id}</code>],
            ['Posts as', <code key="bot">{connection.bot_user_id}</code>],
            ['May', connection.scopes?.join(', ')],
          ]}
        />
      </details>
      <FormEnd error={<Problem error={testing.error} />}>
        <ConfirmButton
          label="Disconnect"
          title={`Disconnect ${connection.workspace_name}?`}
          act={() => disconnecting.mutateAsync({})}
          change={disconnecting}
        >
          The token is erased. Messages of this environment fail until it is connected again.
        </ConfirmButton>
        <ConnectButtons again />
        <Button look="primary" busy={testing.isPending} onClick={() => testing.mutate({})}>
          Check the connection
        </Button>
      </FormEnd>
    </Card>
  );
};

/** The chat workspace of this environment. */
export const Connections = () => {
  const { place } = useActing();
  const read = useRead(api.getConnection);
  const isMissing = read.error instanceof ApiError && read.error.status === 404;
  return (
    <>
      <PageHead title="Connections">
        The workspace to which messages of the environment {place.environment} are posted.
      </PageHead>
      {isMissing ? (
        <Empty title="No workspace is connected" action={<ConnectButtons />}>
          Connect one, and messages can be sent. The chat platform asks you which workspace it is, and what
          the app may do there.
        </Empty>
      ) : (
        <Answer read={read}>{(connection) => <Connected connection={connection} />}</Answer>
      )}
      <TestTargets />
    </>
  );
};
