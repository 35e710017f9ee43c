import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll } from 'vitest';
import 'reflect-metadata';
import { playN8n } from './playedN8n.mts';

// A vitest setup file, run before each file: n8n-core reads these when it is first imported. It writes
// a settings file into its user folder, and logs each error of a node.
const FOLDER = 'CONTACT_DATA_N8N_CORE_FOLDER';

// Files that share a process share n8n-core, and so the path.
const userFolder = (process.env[FOLDER] ??= mkdtempSync(join(tmpdir(), 'n8n-core-')));
mkdirSync(userFolder, { recursive: true });
process.env.N8N_USER_FOLDER = userFolder;
process.env.N8N_LOG_LEVEL = 'silent';

process.env.CONTACT_DATA_PLAYED_N8N = await playN8n();

afterAll(() => rmSync(userFolder, { recursive: true, force: true }));
