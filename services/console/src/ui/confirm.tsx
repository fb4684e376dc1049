import { type ReactNode, useState } from 'react';
import { Button, type ButtonProps } from './button.tsx';
import { Dialog, FormEnd } from './dialog.tsx';
import { Form, Problem } from './form.tsx';

/** How a change stands that a button starts. */
export interface Change {
  isPending: boolean;
  error: Error | null;
  reset: () => void;
}

interface Confirming {
  title: string;
  /** What will happen. */
  children: ReactNode;
  act: () => Promise<unknown>;
  change: Change;
  look?: ButtonProps['look'];
  confirmLabel: string;
  /** What leaves everything as it is. */
  keepLabel?: string;
}

/** Asks before something is done that cannot be taken back; it stays open while that fails. */
export const Confirm = ({
  title,
  children,
  act,
  change,
  look = 'danger',
  confirmLabel,
  keepLabel = 'Cancel',
  onClose,
}: Confirming & { onClose: () => void }) => {
  const close = (): void => {
    onClose();
    change.reset();
  };
  const submit = (): void =>
    // The change keeps its error, which the dialog shows.
    void act().then(close, () => undefined);
  return (
    <Dialog title={title} onClose={close}>
      <Form onSubmit={submit}>
        <div>{children}</div>
        <FormEnd error={<Problem error={change.error} />}>
          <Button onClick={close}>{keepLabel}</Button>
          <Button type="submit" look={look === 'danger' ? 'destroy' : 'primary'} busy={change.isPending}>
            {confirmLabel}
          </Button>
        </FormEnd>
      </Form>
    </Dialog>
  );
};

/** A button that asks first. */
export const ConfirmButton = ({
  label,
  name,
  look = 'danger',
  confirmLabel = label,
  ...confirm
}: Omit<Confirming, 'confirmLabel'> & {
  label: string;
  /** Its label and whose it is, where other rows have the same button. */
  name?: string;
  confirmLabel?: string;
}) => {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button look={look} aria-label={name} onClick={() => setOpen(true)}>
        {label}
      </Button>
      {isOpen && (
        <Confirm {...confirm} look={look} confirmLabel={confirmLabel} onClose={() => setOpen(false)} />
      )}
    </>
  );
};
