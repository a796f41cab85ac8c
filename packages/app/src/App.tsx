import { createApp } from '@backstage/frontend-defaults';
import catalogPlugin from '@backstage/plugin-catalog/alpha';
import { navModule } from './nav';
import { signInModule } from './signIn';

export default createApp({
  features: [catalogPlugin, navModule, signInModule],
});
