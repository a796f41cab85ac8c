import '@testing-library/jest-dom';
import { configure } from '@testing-library/react';

// Lazily loaded extensions are compiled on first use; a slow machine needs more than the default second for that.
configure({ asyncUtilTimeout: 30_000 });
jest.setTimeout(90_000);
