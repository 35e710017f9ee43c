import { ICredentialsHelper, jsonParse, NodeHelpers } from 'n8n-workflow';
import type {
	ICredentialDataDecryptedObject,
	ICredentials,
	ICredentialsExpressionResolveValues,
	ICredentialType,
	IExecuteData,
	IHttpRequestOptions,
	INodeCredentialsDetails,
	INodeParameters,
	INodeProperties,
	IRequestOptionsSimplified,
	IWorkflowExecuteAdditionalData,
	WorkflowExecuteMode,
} from 'n8n-workflow';
import { ContactDataApi } from '../../../credentials/ContactDataApi.credentials.ts';

/** Credential values by type name: `{ contactDataApi: { apiKey, baseUrl } }`. */
export type CredentialValues = Record<string, INodeParameters>;

const CREDENTIAL_TYPES: ICredentialType[] = [new ContactDataApi()];

/**
 * n8n's `CredentialsHelper` without its database: the values come from the test, the properties'
 * defaults and `authenticate` from the real credential class.
 */
export class TestCredentials extends ICredentialsHelper {
	constructor(private readonly values: CredentialValues) {
		super();
	}

	async getDecrypted(
		_additionalData: IWorkflowExecuteAdditionalData,
		_nodeCredentials: INodeCredentialsDetails,
		type: string,
		mode: WorkflowExecuteMode,
		executeData?: IExecuteData,
		_raw?: boolean,
		resolve?: ICredentialsExpressionResolveValues,
	): Promise<ICredentialDataDecryptedObject> {
		const values = this.values[type];
		if (values === undefined) throw new Error(`The test gave no credential '${type}'`);
		const properties = this.getCredentialsProperties(type);
		const withDefaults = NodeHelpers.getNodeParameters(properties, values, true, false, null, null);
		// A round trip through JSON, as through n8n's database.
		const saved = jsonParse<ICredentialDataDecryptedObject>(JSON.stringify(withDefaults));
		return resolve === undefined ? saved : resolved(saved, resolve, mode, executeData);
	}

	async authenticate(
		credentials: ICredentialDataDecryptedObject,
		typeName: string,
		requestOptions: IHttpRequestOptions | IRequestOptionsSimplified,
	): Promise<IHttpRequestOptions> {
		const { authenticate } = credentialType(typeName);
		if (typeof authenticate !== 'function') {
			throw new Error('The harness knows credentials whose authenticate is a function, only');
		}
		// n8n itself casts: what its older helper sends has `uri`.
		return await authenticate(credentials, requestOptions as IHttpRequestOptions);
	}

	getCredentialsProperties(type: string): INodeProperties[] {
		return credentialType(type).properties;
	}

	isCredentialUsableByNode(): boolean {
		return true;
	}

	getParentTypes(): string[] {
		return [];
	}

	async preAuthentication(): Promise<undefined> {
		return undefined;
	}

	async runPreAuthentication(): Promise<undefined> {
		return undefined;
	}

	async getCredentials(): Promise<ICredentials> {
		throw new Error('Stored credentials are not part of the harness');
	}

	async updateCredentials(): Promise<void> {
		throw new Error('Stored credentials are not part of the harness');
	}

	async updateCredentialsOauthTokenData(): Promise<void> {
		throw new Error('Stored credentials are not part of the harness');
	}
}

/** With its expressions for an item, as n8n resolves them. */
function resolved(
	saved: ICredentialDataDecryptedObject,
	resolve: ICredentialsExpressionResolveValues,
	mode: WorkflowExecuteMode,
	executeData: IExecuteData | undefined,
): ICredentialDataDecryptedObject {
	const { workflow, runExecutionData, runIndex, itemIndex, node, connectionInputData } = resolve;
	return workflow.expression.getParameterValue(
		saved as INodeParameters,
		runExecutionData,
		runIndex,
		itemIndex,
		node.name,
		connectionInputData,
		mode,
		{},
		executeData,
		false,
		saved,
	) as ICredentialDataDecryptedObject;
}

function credentialType(name: string): ICredentialType {
	const found = CREDENTIAL_TYPES.find((type) => type.name === name);
	if (found === undefined) throw new Error(`The harness knows no credential type '${name}'`);
	return found;
}
