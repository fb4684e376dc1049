import { Card, Section } from '../../ui/page.tsx';
import { Loading } from '../../ui/states.tsx';

/** Has the place of a drawn message until it is there, so that what follows does not move far. */
export const ContentOnItsWay = () => (
  <Section title="The message" about="Drawn from its version.">
    <Card>
      <Loading label="Drawing the message" lines={5} />
    </Card>
  </Section>
);
