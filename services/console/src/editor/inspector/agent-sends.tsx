import type { Template } from '@stanza/contracts';
import { useId } from 'react';
import { api } from '../../api/operations.ts';
import { useChange } from '../../api/use-api.ts';
import { useMay } from '../../shell/allowed.tsx';
import { Problem } from '../../ui/form.tsx';
import styles from './inspector.module.css';

/** Switches whether agents get a tool that sends the template. It is no part of the draft and takes effect at once. */
export const AgentSends = ({
  template: { id, agent_sends = false },
}: {
  template: Pick<Template, 'id' | 'agent_sends'>;
}) => {
  const hint = useId();
  const maySwitch = useMay('connections:write');
  const switching = useChange(api.setAgentSends);
  if (!maySwitch) return null;
  return (
    <div>
      <label className={styles.check}>
        <input
          type="checkbox"
          checked={agent_sends}
          disabled={switching.isPending}
          aria-describedby={hint}
          onChange={({ target }) => switching.mutate({ params: { id }, body: { enabled: target.checked } })}
        />
        <span>Agents may send it</span>
      </label>
      <p id={hint} className={styles.about}>
        Agents whose key may send get a tool for the live version. This takes effect at once.
      </p>
      <Problem error={switching.error} />
    </div>
  );
};
