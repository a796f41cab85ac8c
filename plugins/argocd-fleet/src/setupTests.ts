import '@testing-library/jest-dom';
import { configure } from '@testing-library/react';

// Lazily loaded extensions are compiled on first use, which takes a slow machine longer than the default second.
configure({ asyncUtilTimeout: 30_000 });
jest.setTimeout(90_000);
