import type { INodeProperties } from 'n8n-workflow';
import { fieldProperties } from './fields';
import { operationProperties, resourceProperty } from './operations';
import { optionsProperty } from './options';

export const properties: INodeProperties[] = [
	resourceProperty,
	...operationProperties,
	...fieldProperties,
	optionsProperty,
];
