import { type ComponentProps, type ReactNode, useState } from 'react';
import { Button } from './button.tsx';
import { Dialog, FormEnd } from './dialog.tsx';
import { Form, Problem } from './form.tsx';

/** A form above the page: its last line has what went wrong, *Cancel*, and the button that it is for. */
export const FormDialog = ({
  mutation,
  submit,
  disabled = false,
  isQuestion = false,
  more,
  onSubmit,
  children,
  ...dialog
}: Omit<ComponentProps<typeof Dialog>, 'children'> & {
  /** The change that the form asks for. */
  mutation: { isPending: boolean; error: Error | null };
  /** What the button says. */
  submit: string;
  disabled?: boolean;
  /** Nothing is filled in: it begins at the button that answers it. */
  isQuestion?: boolean;
  /** Another button beside it. */
  more?: ReactNode;
  onSubmit: () => void;
  children: ReactNode;
}) => {
  // What was wrong with a form is not said of what stands in it now.
  const [past, leave] = useState<Error | null>(null);
  return (
    <Dialog {...dialog}>
      <Form onSubmit={onSubmit} onChange={() => leave(mutation.error)}>
        {children}
        <FormEnd error={<Problem error={mutation.error === past ? null : mutation.error} />}>
          <Button onClick={dialog.onClose}>Cancel</Button>
          {more}
          <Button
            type="submit"
            look="primary"
            busy={mutation.isPending}
            disabled={disabled}
            data-begins={isQuestion || undefined}
          >
            {submit}
          </Button>
        </FormEnd>
      </Form>
    </Dialog>
  );
};
