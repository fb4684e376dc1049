import { openConsoleBrowser } from './console-world.ts';
import { testJourney } from './journey.ts';

testJourney('an author writes a template, and makes it live', {
  open: openConsoleBrowser,
  looks: { width: 1440, colorScheme: 'light' },
  maxInteractions: 60,
});
