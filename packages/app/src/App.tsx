import { createApp } from '@backstage/frontend-defaults';
import catalogPlugin from '@backstage/plugin-catalog/alpha';
import { navModule } from './nav';

export default createApp({
  features: [catalogPlugin, navModule],
});
