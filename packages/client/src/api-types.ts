// Written by `npm run openapi`; do not edit.

export interface paths {
    "/v1/namespaces": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List namespaces
         * @description Needs the scope `read`.
         */
        get: operations["listNamespaces"];
        put?: never;
        /**
         * Create a namespace
         * @description A text namespace is searched by the meaning of its documents, a vector namespace by your own vectors. The type can't be changed later. Needs the scope `write`.
         */
        post: operations["createNamespace"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/namespaces/{namespace_name}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a namespace
         * @description One namespace as the list returns it. Needs the scope `read`.
         */
        get: operations["getNamespace"];
        put?: never;
        post?: never;
        /**
         * Delete a namespace
         * @description Removes the namespace with everything in it. It is invisible at once; its name is free again when the deletion is completed. A repeated request gets the same response. Needs the scope `admin`.
         */
        delete: operations["deleteNamespace"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/models": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the models that namespaces can have
         * @description Needs the scope `read`.
         */
        get: operations["listModels"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/namespaces/{namespace_name}/documents": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Upload documents
         * @description Accepted documents can be fetched at once and are searchable when processing is completed, typically within seconds. A document with an existing id is replaced. Batches of 25 to 50 documents work best. Needs the scope `write`.
         */
        post: operations["uploadDocuments"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/namespaces/{namespace_name}/documents/get": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Get documents by id
         * @description Needs the scope `read`.
         */
        post: operations["getDocuments"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/namespaces/{namespace_name}/documents/fetch-text-data": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Page through all text
         * @description Every item in the order of the ids. Continue with `next_token` until `has_more` is false. Each page counts as one request. To find changed documents, page with `fields=head`, compare each `version` with the stored one, and get those documents by id. Needs the scope `read`.
         */
        get: operations["fetchTextData"];
        put?: never;
        /**
         * Page through the text that passes a filter
         * @description A page may have fewer items than `limit`, or none, although `has_more` is true: what takes too long is continued by the next page. Needs the scope `read`.
         */
        post: operations["filterTextData"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/namespaces/{namespace_name}/documents/delete": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Delete documents by id or by a filter
         * @description Needs the scope `write`.
         */
        post: operations["deleteDocuments"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/namespaces/{namespace_name}/vectors": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Upload vectors
         * @description The vectors are searchable when the response is sent. A vector with an existing id is replaced. Needs the scope `write`.
         */
        post: operations["uploadVectors"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/namespaces/{namespace_name}/vectors/delete": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Delete vectors by id or by a filter
         * @description Needs the scope `write`.
         */
        post: operations["deleteVectors"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/namespaces/{namespace_name}/upload-url": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Get an upload URL
         * @description For files up to 5 GB. Send the bytes with PUT to `upload_url`, with the Content-Type `content_type`; success is 200, and the file is then processed. The URL expires after 15 minutes and then answers 403. The earlier `fileName` is accepted where the server allows it; the response then has the headers `Deprecation`, `Sunset` and `Warning`, and the earlier field names beside the current ones. Needs the scope `write`.
         */
        post: operations["createUploadUrl"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/namespaces/{namespace_name}/upload-file": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Upload a file
         * @description For files up to 10 MB; larger ones need an upload URL (`upload-url`). The file is then processed. Needs the scope `write`.
         */
        post: operations["uploadFile"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/namespaces/{namespace_name}/list-files": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List files
         * @description All files, in no particular order. Needs the scope `read`.
         */
        get: operations["listFiles"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/namespaces/{namespace_name}/delete-file": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Delete files
         * @description Permanently, with all their chunks, also while they are being processed. Names may be in the body, in the query, or in both. One request, however many names. The earlier `fileName` is accepted where the server allows it; the response then has the headers `Deprecation`, `Sunset` and `Warning`, and the earlier field names beside the current ones. Needs the scope `write`.
         */
        delete: operations["deleteFiles"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/namespaces/{namespace_name}/files/{file_name}/status": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the state of a file
         * @description Every file ends `completed`, or `failed` with a reason and a remedy. Needs the scope `read`.
         */
        get: operations["getFileStatus"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/namespaces/{namespace_name}/files": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Page through files
         * @description Files with their states, etags and metadata, enough to compare a folder with the namespace. Needs the scope `read`.
         */
        get: operations["pageFiles"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/namespaces/{namespace_name}/files/{file_name}/content": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Download a file
         * @description The bytes as they were uploaded. Takes `Range` (one range of bytes), `If-Range`, `If-None-Match` and `If-Match` with the `ETag` of an earlier response; `If-Match` with `published_etag` makes sure that these are the bytes from which the searchable chunks were extracted. PDF, PNG and plain text may be shown by a browser, other types are sent as an attachment. Needs the scope `read`.
         */
        get: operations["getFileContent"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/namespaces/{namespace_name}/files/{file_name}/download-url": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Get a download URL
         * @description A URL that downloads the file without an API key, for 15 minutes, or until the file is deleted or the key is no longer accepted. Needs the scope `read`.
         */
        post: operations["createDownloadUrl"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/namespaces/{namespace_name}/files/{file_name}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Change the metadata of a file
         * @description The chunks get the new metadata as a new version, published at once; nothing is extracted or embedded again. Search returns the previous chunks until then. Needs the scope `write`.
         */
        patch: operations["updateFile"];
        trace?: never;
    };
    "/v1/namespaces/{namespace_name}/files/{file_name}/retry": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Process a file again
         * @description For a file that is `completed` or `failed`, with other options, or because an earlier version has read it (`outdated`). Search returns the previous chunks until the new ones are published. Needs the scope `write`.
         */
        post: operations["retryFile"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/namespaces/{namespace_name}/upload-multipart": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Start or continue a multipart upload
         * @description For large files over unreliable connections: each part has its own URL and can be sent again. An earlier upload of the same name is aborted. Needs the scope `write`.
         */
        post: operations["startMultipartUpload"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/namespaces/{namespace_name}/upload-multipart/complete": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Complete a multipart upload
         * @description The file is then processed. Needs the scope `write`.
         */
        post: operations["completeMultipartUpload"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/namespaces/{namespace_name}/upload-multipart/abort": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Abort a multipart upload
         * @description Its parts are removed. Needs the scope `write`.
         */
        post: operations["abortMultipartUpload"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/downloads/{token}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Download a file by its signed URL
         * @description GET of a `download_url`, without an API key. Takes `Range` (one range of bytes), `If-Range`, `If-None-Match` and `If-Match` with the `ETag` of an earlier response; `If-Match` with `published_etag` makes sure that these are the bytes from which the searchable chunks were extracted. PDF, PNG and plain text may be shown by a browser, other types are sent as an attachment.
         */
        get: operations["getSignedContent"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/search": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Search namespaces
         * @description Needs the scope `read`.
         */
        post: operations["search"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/answer": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Answer a question
         * @description Answers from the passages of text namespaces, which are searched together: the ones named or, if none is, all of the account. With an empty `namespace` the model answers alone. If nothing relevant is found, the answer says so, with `answered` false and a `context_count` of 0, and no model is called; `sources` has what the search found. Each model call costs the credits that the operator has set. Needs the scope `read`.
         */
        post: operations["answer"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/namespaces/{namespace_name}/uploads/{upload_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the state of an upload
         * @description The outcome of every document of an upload. Kept for some weeks. Needs the scope `read`.
         */
        get: operations["getUpload"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/namespaces/{namespace_name}/uploads": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List uploads
         * @description The uploads of a namespace, newest first. A page may have fewer uploads than `limit`, or none, although `has_more` is true. Needs the scope `read`.
         */
        get: operations["listUploads"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/namespaces/{namespace_name}/uploads/{upload_id}/documents": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the documents of an upload
         * @description The state of each document of an upload, in the order in which they were sent; rejected documents are last. Needs the scope `read`.
         */
        get: operations["listUploadDocuments"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/namespaces/{namespace_name}/retry": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Retry what failed in a namespace
         * @description Processes failed documents and files again, from what is stored. What was replaced or deleted meanwhile is left alone, and what is being retried is not failed any more, so that the request may be repeated. One request retries about 500 and says how to continue. Needs the scope `write`.
         */
        post: operations["retryFailed"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/namespaces/{namespace_name}/uploads/{upload_id}/retry": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Retry the failed documents of an upload
         * @description Like the retry of a namespace, for the documents of one upload. Needs the scope `write`.
         */
        post: operations["retryUpload"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/deletions/{deletion_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the state of a deletion
         * @description How far the deletion of a namespace is. Kept for some weeks. Needs the scope `read`.
         */
        get: operations["getDeletion"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/namespaces/{namespace_name}/reindex": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the state of a reindex
         * @description Needs the scope `read`.
         */
        get: operations["getReindex"];
        put?: never;
        /**
         * Change the embedding model of a namespace
         * @description Embeds all texts of a text namespace with another model, beside the points that are searched, and then changes places: searches continue all the time, by one model or the other. Uploads are embedded with both models meanwhile. Needs the scope `admin`.
         */
        post: operations["startReindex"];
        /**
         * End a reindex
         * @description Removes the points of the other model: before the flip this cancels the reindex, after it a rollback is not possible any more. The model that is searched stays. Needs the scope `admin`.
         */
        delete: operations["endReindex"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/namespaces/{namespace_name}/reindex/flip": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Search by the new model
         * @description For a reindex that is `filled`, also when its model rejects some items. Needs the scope `admin`.
         */
        post: operations["flipReindex"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/namespaces/{namespace_name}/reindex/rollback": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Search by the former model again
         * @description For a reindex that is `kept`. What was uploaded since the flip is found, too; the other model is kept in turn. Needs the scope `admin`.
         */
        post: operations["rollBackReindex"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/namespaces/{namespace_name}/reextract": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get how many files are outdated, and how far their extraction is
         * @description Needs the scope `read`.
         */
        get: operations["getReextraction"];
        put?: never;
        /**
         * Extract the files again that an earlier version has read
         * @description Once after an upgrade: every outdated file of the namespace is processed again, a few at a time, with the options it had. Search returns its previous chunks until the new ones are published, and passages that did not change are not embedded again. A second request returns the one that runs. Needs the scope `admin`.
         */
        post: operations["startReextraction"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/namespaces/{namespace_name}/evaluations": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the evaluations of a namespace
         * @description The newest first. Needs the scope `read`.
         */
        get: operations["listEvaluations"];
        put?: never;
        /**
         * Keep the result of an evaluation
         * @description `cairn eval` searches a text namespace by questions with known answers, and sends how well they were found. The newest 20 evaluations of a namespace are kept. Needs the scope `write`.
         */
        post: operations["keepEvaluation"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/namespaces/{namespace_name}/evaluations/{evaluation_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get an evaluation with the scores of its questions
         * @description Needs the scope `read`.
         */
        get: operations["getEvaluation"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Follow what happens to the content of the account
         * @description Server-sent events, each once, in the order in which they happened. They are kept for a day. The server ends the stream after some minutes; a client goes on with the id of the last event, as `after` or as the header `Last-Event-ID`, at any gateway. Needs the scope `read`.
         */
        get: operations["getEvents"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/namespaces/{namespace_name}/events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Follow what happens in a namespace
         * @description Server-sent events, each once, in the order in which they happened. They are kept for a day. The server ends the stream after some minutes; a client goes on with the id of the last event, as `after` or as the header `Last-Event-ID`, at any gateway. The stream ends when the namespace is deleted. Needs the scope `read`.
         */
        get: operations["getNamespaceEvents"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/usage": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get your usage
         * @description What the account of this key has used, by day, by namespace or by key. Counts are written every second. Needs the scope `read`.
         */
        get: operations["getOwnUsage"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/console-codes": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Create a code that signs in to the console
         * @description The console exchanges it for the API key of this request, once and within ten minutes. It is part of the fragment of the address, which browsers do not send. Needs the scope `read`.
         */
        post: operations["createConsoleCode"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/v1/accounts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List accounts */
        get: operations["listAccounts"];
        put?: never;
        /** Create an account */
        post: operations["createAccount"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/v1/tiers": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the tiers */
        get: operations["listTiers"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/v1/accounts/{account_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /** Change an account */
        patch: operations["updateAccount"];
        trace?: never;
    };
    "/admin/v1/accounts/{account_id}/keys": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List API keys */
        get: operations["listKeys"];
        put?: never;
        /** Create an API key */
        post: operations["createKey"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/v1/keys/{key_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Change the state of an API key
         * @description Takes effect in every process within 5 seconds. A revoked key stays revoked.
         */
        patch: operations["updateKey"];
        trace?: never;
    };
    "/admin/v1/accounts/{account_id}/usage": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the usage of an account
         * @description What it uses of its plan in this period, and its requests by day, by namespace or by key.
         */
        get: operations["getUsage"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/v1/orphans": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List orphaned objects
         * @description Objects in the store without a database record, as the last sweeps found them, by key. They are removed when they are found again `CAIRN_ORPHAN_DAYS` later, a few per sweep, or by the next sweep once approved.
         */
        get: operations["listOrphans"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/v1/orphans/approve": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Approve the removal of orphaned objects */
        post: operations["approveOrphans"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/readyz": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Check readiness */
        get: operations["getReadiness"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        AbortMultipart: {
            file_name: components["schemas"]["SentFileName"];
            upload_id: string;
        };
        Account: {
            account_id: string;
            name: string;
            tier: string;
            /**
             * @description `expired` once the subscription has ended.
             * @enum {string}
             */
            status: "active" | "expired";
            /**
             * Format: date-time
             * @description ISO 8601, UTC.
             * @example 2026-03-01T12:00:00.000Z
             */
            subscription_ends_at: string | null;
            namespaces: number;
            documents: number;
            vectors: number;
            created_at: components["schemas"]["Timestamp"];
        };
        AccountList: {
            accounts: components["schemas"]["Account"][];
        };
        /**
         * @example {
         *       "query": "how is a path marked?",
         *       "namespace": "my-documents",
         *       "top_k": 5
         *     }
         * @example {
         *       "query": "how is a path marked?",
         *       "namespaces": [
         *         "my-documents",
         *         "trail-log"
         *       ]
         *     }
         */
        Answer: {
            /** @description The question. It may end in filters, as a search may. */
            query: string;
            /** @description A text namespace to answer from. Empty: the model answers without passages, and search fields must have their default values. */
            namespace?: string;
            /** @description Text namespaces to answer from by one search, in place of `namespace`. Without both: all text namespaces of the account, if there are at most 20. */
            namespaces?: string[];
            /**
             * @description Number of hits; values above 100 are treated as 100.
             * @default 10
             */
            top_k?: number;
            /**
             * @description Leave out hits below `threshold`, which is then required.
             * @default false
             */
            kiosk_mode?: boolean;
            threshold?: number;
            filter?: components["schemas"]["Filter"];
            /**
             * @default text
             * @constant
             */
            type?: "text";
            /** @default 0.7 */
            temperature?: number;
            /** @description Id of a configured model; any other id selects the default. `model` of the answer names the one used. */
            ai_model?: string;
            /**
             * @description Earlier turns of the conversation, oldest first.
             * @default []
             */
            chat_history?: components["schemas"]["ChatMessage"][];
            /**
             * @description Instructions before the question.
             * @default
             */
            header_prompt?: string;
            /**
             * @description Instructions after the question. Default: a clear and concise answer.
             * @default
             */
            footer_prompt?: string;
            structured_response?: components["schemas"]["StructuredResponse"];
            /**
             * @description Send the answer as server-sent events while it is generated. Not with `structured_response`.
             * @default false
             */
            stream?: boolean;
        };
        AnswerSource: {
            id: components["schemas"]["ItemId"];
            /** @description With six decimals. In mode `semantic` the cosine c, not below 0. In mode `lexical` l, the BM25 of the hit ÷ the best BM25 of the query. In mode `hybrid` c + (1 − c) × 0.4 × l. Where the model cannot read the text, c counts less or not at all; the less it reads the query, the more l counts, up to alone (docs/api-notes.md). */
            score: number;
            /** @enum {string} */
            label: "Close Match" | "Very High Relevance" | "High Relevance" | "Good Relevance" | "Low Relevance" | "Very Low Relevance" | "Irrelevant";
            /** @description The text, or of a long one the parts that are closest to the question, with `…` between them. */
            text: string;
            metadata: components["schemas"]["Metadata"];
            namespace: string;
            /** @description The parts of the item’s text that `text` consists of: offsets in Unicode code points, the end excluded. */
            passages: {
                start: number;
                end: number;
            }[];
        };
        Answered: {
            answer: string;
            /** @description The model that answered. `extractive`: no model; the answer quotes sentences of the passages. */
            model: string;
            /** @description Passages the answer was drawn from. */
            context_count: number;
            query: string;
            /** @description What the answer was drawn from, best first; where `answered` is false, what the search found. */
            sources: components["schemas"]["AnswerSource"][];
            /** @description False: no passage answers the question, and `answer` says so. */
            answered: boolean;
            /** @description With structured_response: whether there were passages. */
            used_context?: boolean;
            /** @description With structured_response: the object that matches its schema; null if it could not be filled in. */
            structured_data?: unknown;
            /** @description Present only if fields of the request were ignored, because they are unknown, or capped. */
            warnings?: string[];
        };
        ApiKey: {
            key_id: string;
            account_id: string;
            name: string;
            scopes: ("read" | "write" | "admin")[];
            /** @enum {string} */
            state: "active" | "inactive" | "disabled" | "revoked" | "expired";
            /**
             * Format: date-time
             * @description ISO 8601, UTC.
             * @example 2026-03-01T12:00:00.000Z
             */
            expires_at: string | null;
            /**
             * Format: date-time
             * @description ISO 8601, UTC.
             * @example 2026-03-01T12:00:00.000Z
             */
            last_used_at: string | null;
            created_at: components["schemas"]["Timestamp"];
        };
        ApiKeyCreated: {
            key_id: string;
            /** @description Returned only once; the server stores a keyed hash of it. */
            api_key: string;
            account_id: string;
            name: string;
            scopes: ("read" | "write" | "admin")[];
            /** @enum {string} */
            state: "active" | "inactive" | "disabled" | "revoked" | "expired";
            /**
             * Format: date-time
             * @description ISO 8601, UTC.
             * @example 2026-03-01T12:00:00.000Z
             */
            expires_at: string | null;
            /**
             * Format: date-time
             * @description ISO 8601, UTC.
             * @example 2026-03-01T12:00:00.000Z
             */
            last_used_at: string | null;
            created_at: components["schemas"]["Timestamp"];
        };
        ApiKeyList: {
            keys: components["schemas"]["ApiKey"][];
        };
        ApproveOrphans: {
            keys: string[];
        };
        ChatMessage: {
            /** @enum {string} */
            role: "user" | "assistant";
            content: string;
        };
        Check: {
            ok: boolean;
            detail?: string;
            progress?: number;
        };
        Chunk: {
            id: components["schemas"]["ItemId"];
            /** @description Changes whenever `text` or `metadata` is written. Opaque. */
            version: string;
            /**
             * Format: date-time
             * @description ISO 8601, UTC.
             * @example 2026-03-01T12:00:00.000Z
             */
            created_at: string | null;
            is_summary: boolean;
            text: string;
            metadata: components["schemas"]["Metadata"];
        };
        ChunkHead: {
            id: components["schemas"]["ItemId"];
            /** @description Changes whenever `text` or `metadata` is written. Opaque. */
            version: string;
            /**
             * Format: date-time
             * @description ISO 8601, UTC.
             * @example 2026-03-01T12:00:00.000Z
             */
            created_at: string | null;
            is_summary: boolean;
        };
        CompleteMultipart: {
            file_name: components["schemas"]["SentFileName"];
            upload_id: string;
            parts: {
                part: number;
                /** @description As returned by the PUT. */
                etag: string;
            }[];
        };
        ConsoleCode: {
            code: string;
            /** @description The path of the console with the code, below the address of the server. */
            path: string;
            expires_at: components["schemas"]["Timestamp"];
        };
        /**
         * @example {
         *       "name": "Acme",
         *       "tier": "professional"
         *     }
         */
        CreateAccount: {
            name: string;
            /** @description One of the tiers the server was started with. */
            tier: string;
        };
        /**
         * @example {
         *       "name": "ingest",
         *       "scopes": [
         *         "read",
         *         "write"
         *       ]
         *     }
         */
        CreateKey: {
            name: string;
            /**
             * @default [
             *       "read",
             *       "write",
             *       "admin"
             *     ]
             */
            scopes?: ("read" | "write" | "admin")[];
            /** Format: date-time */
            expires_at?: string | null;
        };
        /**
         * @example {
         *       "namespace_name": "my-documents",
         *       "type": "text"
         *     }
         * @example {
         *       "namespace_name": "my-vectors",
         *       "type": "vector",
         *       "vector_dimension": 384
         *     }
         */
        CreateNamespace: components["schemas"]["CreateTextNamespace"] | components["schemas"]["CreateVectorNamespace"];
        CreateTextNamespace: {
            namespace_name: components["schemas"]["NamespaceName"];
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "text";
            /** @description The embedding model, one of those that the server offers; `lexical` compares words and letters without a model. Default: the current model of the server. */
            model?: string;
            /**
             * @description Language of the documents: its endings do not count in a search by words. `none`: every ending counts.
             * @default en
             * @enum {string}
             */
            language?: "ar" | "ca" | "cs" | "da" | "de" | "en" | "es" | "eu" | "fi" | "fr" | "ga" | "hu" | "hy" | "it" | "nl" | "no" | "pt" | "ro" | "ru" | "sl" | "sv" | "ta" | "tr" | "none";
        };
        CreateUploadUrl: {
            file_name: components["schemas"]["SentFileName"];
            /** @description Bytes of the file. If set, the URL accepts only a file of exactly this size. */
            file_size?: number;
            /** @description Metadata of the file. An object of at most 50 keys and 2048 bytes of JSON. It is added to the metadata of each chunk, where filters find it; the keys of the chunk itself, such as `source`, `title` and `page`, come first. Without this field, the file keeps the metadata that it has. */
            metadata?: components["schemas"]["SentFileMetadata"];
        };
        CreateVectorNamespace: {
            namespace_name: components["schemas"]["NamespaceName"];
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "vector";
            vector_dimension: number;
        };
        /** @description All names of the body and the query together, at least one and at most 1000. */
        DeleteFiles: {
            file_name?: string;
            file_names?: string[];
        };
        /**
         * @example {
         *       "ids": [
         *         "doc-1"
         *       ]
         *     }
         * @example {
         *       "filter": {
         *         "key": "year",
         *         "lt": 2020
         *       },
         *       "dry_run": true
         *     }
         */
        DeleteItems: {
            /** @description Either this or `filter` is required. */
            ids?: components["schemas"]["SentId"][];
            filter?: components["schemas"]["Filter"];
            /**
             * @description With `filter`: delete nothing, and return the number of items that match and ten of their ids.
             * @default false
             */
            dry_run?: boolean;
            /**
             * @description Required to delete by a filter that an item without metadata passes: it may match every item.
             * @default false
             */
            all?: boolean;
        };
        Deletion: {
            deletion_id: string;
            /** @enum {string} */
            target: "items" | "namespace" | "file";
            namespace_name: string;
            file_name: string | null;
            /**
             * @description `completed` when every store has been checked and nothing is left; a name is free again then.
             * @enum {string}
             */
            state: "queued" | "running" | "completed" | "failed";
            /** @description Number removed, by store. */
            removed: {
                [key: string]: number;
            };
            /** @description Number of times the removal was started. */
            attempts: number;
            created_at: components["schemas"]["Timestamp"];
            updated_at: components["schemas"]["Timestamp"];
            /**
             * Format: date-time
             * @description ISO 8601, UTC.
             * @example 2026-03-01T12:00:00.000Z
             */
            finished_at: string | null;
            /**
             * Format: date-time
             * @description When the work is expected to be finished, from what is queued before it and what the last work of its kind took. null once it is finished, and while nothing is known.
             * @example 2026-03-01T12:00:00.000Z
             */
            estimated_completion: string | null;
            /**
             * Format: date-time
             * @description Time of the next attempt; null while the removal runs and once it is finished.
             * @example 2026-03-01T12:00:00.000Z
             */
            next_attempt_at: string | null;
        };
        Document: {
            id: components["schemas"]["ItemId"];
            text: string;
            metadata: components["schemas"]["Metadata"];
        };
        DocumentsAccepted: {
            /** @constant */
            status: "success";
            message: string;
            /** @description Its state is at `/uploads/{upload_id}`. */
            upload_id: string;
            namespace_name: string;
            /** @description Documents accepted. */
            documents_processed: number;
            uploaded_documents: components["schemas"]["UploadedDocument"][];
            /** @description Ids of the documents accepted. */
            submitted_ids: components["schemas"]["ItemId"][];
            /** @enum {string} */
            processing_status: "in_progress" | "completed" | "failed";
            /**
             * @description When the documents are expected to be searchable, from what is queued before them and what the last uploads took; an assumption until uploads were measured.
             * @example 2026-03-01T12:00:00.000Z
             */
            estimated_completion: components["schemas"]["Timestamp"];
        };
        DocumentsFound: {
            /** @constant */
            status: "success";
            message: string;
            namespace_name: string;
            /** @description Number of ids sent, including duplicates. */
            requested_ids: number;
            found_items: number;
            items: components["schemas"]["Document"][];
        };
        DocumentsPartlyAccepted: {
            /** @constant */
            status: "partial_success";
            message: string;
            /** @description Its state is at `/uploads/{upload_id}`. */
            upload_id: string;
            namespace_name: string;
            /** @description Documents accepted. */
            documents_processed: number;
            uploaded_documents: components["schemas"]["UploadedDocument"][];
            /** @description Ids of the documents accepted. */
            submitted_ids: components["schemas"]["ItemId"][];
            documents_failed: number;
            failed_documents: components["schemas"]["FailedDocument"][];
            /**
             * @description `failed` when every document was refused.
             * @enum {string}
             */
            processing_status?: "in_progress" | "completed" | "failed";
            /** @description When the documents are expected to be searchable, from what is queued before them and what the last uploads took; an assumption until uploads were measured. */
            estimated_completion?: components["schemas"]["Timestamp"];
        };
        DocumentsPartlyFound: {
            /** @constant */
            status: "partial";
            message: string;
            namespace_name: string;
            /** @description Number of ids sent, including duplicates. */
            requested_ids: number;
            found_items: number;
            items: components["schemas"]["Document"][];
            not_found_ids: components["schemas"]["ItemId"][];
        };
        DownloadUrl: {
            file_name: string;
            /** @description URL for GET, without an API key. Secret: anyone who has it can read the file. */
            download_url: string;
            /** @description Seconds. */
            expires_in: number;
            expires_at: components["schemas"]["Timestamp"];
        };
        Evaluation: {
            evaluation_id: string;
            namespace_name: string;
            evaluated_at: components["schemas"]["Timestamp"];
            questions_hash: string;
            /** @enum {string} */
            mode: "semantic" | "lexical" | "hybrid";
            model: string;
            /** @description Items of the namespace at that time. */
            item_count: number;
            questions: number;
            /** @description Mean over the questions. */
            ndcg_at_10: number;
            /** @description Mean over the questions. */
            recall_at_10: number;
            /** @description Questions for which nothing that is expected was found. */
            without_hit: number;
            change: {
                /** @description The evaluation that this one is compared with. */
                evaluation_id: string;
                /** @enum {string} */
                mode: "semantic" | "lexical" | "hybrid";
                model: string;
                /** @description `ndcg_at_10` minus that of the other evaluation. */
                difference: number;
                p: number;
                /** @description Whether `p` is below 0.01. */
                significant: boolean;
            } | null;
        };
        EvaluationDetail: {
            evaluation_id: string;
            namespace_name: string;
            evaluated_at: components["schemas"]["Timestamp"];
            questions_hash: string;
            /** @enum {string} */
            mode: "semantic" | "lexical" | "hybrid";
            model: string;
            /** @description Items of the namespace at that time. */
            item_count: number;
            questions: number;
            /** @description Mean over the questions. */
            ndcg_at_10: number;
            /** @description Mean over the questions. */
            recall_at_10: number;
            /** @description Questions for which nothing that is expected was found. */
            without_hit: number;
            change: {
                /** @description The evaluation that this one is compared with. */
                evaluation_id: string;
                /** @enum {string} */
                mode: "semantic" | "lexical" | "hybrid";
                model: string;
                /** @description `ndcg_at_10` minus that of the other evaluation. */
                difference: number;
                p: number;
                /** @description Whether `p` is below 0.01. */
                significant: boolean;
            } | null;
            /** @description In the order of the questions in which they were sent. */
            scores: {
                /** @description nDCG of the first ten hits, by question. */
                ndcg_at_10: number[];
                /** @description Share of what is expected that is among the first ten hits, by question. */
                recall_at_10: number[];
                /** @description Rank of the first hit that is expected, by question; 0: nothing was found. */
                first_ranks: number[];
            };
            worst: components["schemas"]["WorstQuestion"][];
        };
        EvaluationList: {
            evaluations: components["schemas"]["Evaluation"][];
        };
        FailedDocument: {
            id: components["schemas"]["ItemId"];
            /** @enum {string} */
            error: "Text missing" | "Text content too short" | "Text content too long" | "Invalid text" | "Metadata too large" | "Too many metadata keys" | "Invalid metadata" | "Duplicate document id" | "Quota exceeded" | "Document id taken";
            message: string;
            /** @description Code points of the text. */
            provided_length: number;
        };
        FailedVector: {
            id: components["schemas"]["ItemId"];
            /** @enum {string} */
            error: "Dimension mismatch" | "Invalid vector" | "Zero vector" | "Invalid text" | "Text content too long" | "Metadata too large" | "Invalid metadata" | "Duplicate vector id" | "Quota exceeded";
            message: string;
            expected_dimension: number;
            /** @description 0 if the value sent is not an array. */
            provided_dimension: number;
        };
        Failure: {
            /** @constant */
            status: "failure";
            /** @description The cause, for people. */
            message: string;
            /** @description The kind of failure, for programs. It does not change for a given cause. */
            error: string;
            /** @description Also in the header `x-request-id`. */
            request_id: string;
            details?: {
                [key: string]: unknown;
            };
            suggestion?: string;
            namespace_name?: string;
            timestamp?: components["schemas"]["Timestamp"];
        };
        FileDeletion: {
            /** @description As sent. */
            file_name: string;
            /** @enum {string} */
            status: "deleted" | "error";
            message: string;
        };
        FileFailure: {
            error: string;
            message?: string;
            request_id: string;
        };
        FileList: {
            success: boolean;
            namespace: string;
            file_count: number;
            files: components["schemas"]["StoredFile"][];
            /** @description Uploads that are pending: multipart uploads, and, where the plan limits storage, upload URLs that have not been used. */
            uploads: {
                file_name: string;
                /** @description Of a multipart upload; null: of a single PUT. */
                upload_id: string | null;
                /** @description Bytes that count toward the storage of the account: of stored parts, or as announced by `file_size`. */
                size: number;
                /**
                 * @description When the parts are removed, or the announcement expires.
                 * @example 2026-03-01T12:00:00.000Z
                 */
                expires_at: components["schemas"]["Timestamp"];
            }[];
        };
        FileNote: {
            /** @description One of `page_without_text`, `page_repeated`, `page_unreadable`, `row_unreadable`, `value_cut`, `encoding_guessed`, `truncated`, `ocr_unreadable`, `text_unmapped`, `text_hidden`, `bytes_replaced`, `formula_without_value`, `content_not_read`, `read_by_ocr`, `chunks_refused`, or one that a later version adds. */
            code: string;
            /** @description The same for people, with numbers where there are several. */
            message: string;
            /** @description Where it is in the file, as in the metadata of chunks. Missing if it is not about one place. */
            place?: {
                page?: number;
                page_title?: string;
                sheet?: string;
                row_from?: number;
                row_to?: number;
                path?: string;
                offset_from?: number;
                offset_to?: number;
            };
        };
        FilePage: {
            namespace_name: string;
            /** @description In the order of their names. */
            files: components["schemas"]["ListedFile"][];
            pagination: {
                limit: number;
                has_more: boolean;
                next_token: string | null;
            };
        };
        FileStatus: {
            file_name: string;
            namespace: string;
            /**
             * @description `awaiting_upload`: an upload URL was issued and no file has been received yet. `queued`: its processing has not begun. Only `completed` and `failed` are final.
             * @enum {string}
             */
            state: "awaiting_upload" | "queued" | "processing" | "completed" | "failed";
            /** @enum {string|null} */
            stage: "waiting" | "fetching" | "reading" | "indexing" | "summarising" | "publishing" | "cleaning" | "done" | null;
            /** @description Progress of the extraction, in units of the file type. */
            progress: {
                page?: number;
                pages?: number;
                rows?: number;
                bytes?: number;
                chunks?: number;
                summaries?: number;
                /** @description Chunks and summaries that are indexed. */
                indexed?: number;
            };
            /** @description Number of times processing was started. */
            attempts: number;
            /** @description Why it failed, for programs. */
            reason: string | null;
            /** @description The same for people. */
            message: string | null;
            /** @description How to fix it. */
            remedy: string | null;
            /** @description Whether a retry with the same bytes and options may succeed. */
            retryable: boolean;
            /** @description Content that was left out or guessed, at most 100 notes. */
            notes: components["schemas"]["FileNote"][];
            options: {
                ocr?: boolean;
                languages?: string[];
                encoding?: string;
            };
            /**
             * @description As sent with the file or changed later.
             * @example {
             *       "source": "handbook",
             *       "page": 4
             *     }
             */
            metadata: components["schemas"]["Metadata"];
            /** @description Bytes. */
            size: number | null;
            /** @description Of the uploaded bytes. */
            etag: string | null;
            /** @description Of the bytes from which the searchable chunks were extracted; null before the file is searchable. */
            published_etag: string | null;
            /**
             * Format: date-time
             * @description ISO 8601, UTC.
             * @example 2026-03-01T12:00:00.000Z
             */
            last_modified: string | null;
            /** @description Number of searchable chunks. */
            chunks: number;
            /** @description With a number from 0 on it is the id of a chunk, in reading order; null while the file has none. */
            chunk_id_prefix: string | null;
            summaries: number;
            /** @description Passages by the source of their vectors: texts that the namespace had already, and texts that the model embedded. null until all are indexed, and for vectors. */
            passages?: {
                reused: number;
                embedded: number;
            } | null;
            /** @description Search still returns the previous content of the file. */
            previous_version_searchable: boolean;
            /** @description Version of the extraction that has read the searchable content; null before the file is searchable. */
            extraction_version: number | null;
            /** @description Whether that is an earlier version than the one of the server: a retry extracts the file again. */
            outdated: boolean;
            /**
             * Format: date-time
             * @description When the bytes of the failed file were removed; upload the file again to process it. null: they are stored.
             * @example 2026-03-01T12:00:00.000Z
             */
            bytes_removed_at: string | null;
            /**
             * Format: date-time
             * @description When the same bytes were last uploaded again; they were not processed again.
             * @example 2026-03-01T12:00:00.000Z
             */
            unchanged_at: string | null;
            /**
             * Format: date-time
             * @description Set while the upload is pending.
             * @example 2026-03-01T12:00:00.000Z
             */
            upload_expires_at: string | null;
            created_at: components["schemas"]["Timestamp"];
            updated_at: components["schemas"]["Timestamp"];
            /**
             * Format: date-time
             * @description ISO 8601, UTC.
             * @example 2026-03-01T12:00:00.000Z
             */
            finished_at: string | null;
            /**
             * Format: date-time
             * @description When the work is expected to be finished, from what is queued before it and what the last work of its kind took. null once it is finished, and while nothing is known.
             * @example 2026-03-01T12:00:00.000Z
             */
            estimated_completion: string | null;
            /**
             * Format: date-time
             * @description ISO 8601, UTC.
             * @example 2026-03-01T12:00:00.000Z
             */
            next_attempt_at: string | null;
            /** @description Seconds by stage; stages that have not run are missing. */
            timings: {
                [key: string]: number;
            };
        };
        FileUploaded: {
            success: boolean;
            message: string;
            namespace: string;
            /** @description In camelCase, as in the Moorcheh API. */
            fileName: string;
            /** @description Bytes. In camelCase, as in the Moorcheh API. */
            fileSize: number;
        };
        FilesDeleted: {
            success: boolean;
            message: string;
            namespace: string;
            /** @description One for each name. */
            results: components["schemas"]["FileDeletion"][];
        };
        /**
         * @description A filter on metadata: `and`, `or` or `not` with other filters, or `key` with operators. Texts are compared exactly; in `page` and the other keys of chunks that hold a number, a whole number and its text are the same. `gt`, `gte`, `lt` and `lte` compare numbers, or dates in ISO 8601. Of an array, one element must fit.
         * @example {
         *       "and": [
         *         {
         *           "key": "year",
         *           "gte": 2020,
         *           "lt": 2026
         *         },
         *         {
         *           "not": {
         *             "key": "tags",
         *             "any": [
         *               "draft",
         *               "old"
         *             ]
         *           }
         *         }
         *       ]
         *     }
         */
        Filter: {
            and?: components["schemas"]["Filter"][];
            or?: components["schemas"]["Filter"][];
            not?: components["schemas"]["Filter"];
            /** @description A key of the metadata. The operators beside it must all hold. */
            key?: string;
            eq?: components["schemas"]["FilterValue"];
            /** @description Also true without the key. */
            ne?: components["schemas"]["FilterValue"];
            gt?: number | string;
            gte?: number | string;
            lt?: number | string;
            lte?: number | string;
            in?: components["schemas"]["FilterValue"][];
            /** @description Also true without the key. */
            nin?: components["schemas"]["FilterValue"][];
            /** @description An element of the array is one of these. */
            any?: components["schemas"]["FilterValue"][];
            /** @description Each of these is an element of the array. */
            all?: components["schemas"]["FilterValue"][];
            /** @description The key is there and is not null. */
            exists?: boolean;
            prefix?: string;
            /** @description A part of a text, or an element of an array. */
            contains?: components["schemas"]["FilterValue"];
        };
        /**
         * @example {
         *       "filter": {
         *         "key": "year",
         *         "gte": 2020
         *       },
         *       "limit": 50
         *     }
         */
        FilterTextData: {
            filter: components["schemas"]["Filter"];
            /** @default 100 */
            limit?: number;
            /** @description `pagination.next_token` of the previous page; bound to the account and the namespace. */
            next_token?: string;
            /** @enum {string} */
            fields?: "head";
        };
        FilterValue: string | number | boolean;
        GetDocuments: {
            ids: components["schemas"]["SentId"][];
        };
        Hit: {
            id: components["schemas"]["ItemId"];
            /** @description With six decimals. In mode `semantic` the cosine c, not below 0. In mode `lexical` l, the BM25 of the hit ÷ the best BM25 of the query. In mode `hybrid` c + (1 − c) × 0.4 × l. Where the model cannot read the text, c counts less or not at all; the less it reads the query, the more l counts, up to alone (docs/api-notes.md). */
            score: number;
            /** @enum {string} */
            label: "Close Match" | "Very High Relevance" | "High Relevance" | "Good Relevance" | "Low Relevance" | "Very Low Relevance" | "Irrelevant";
            /** @description Empty for a vector without text. */
            text: string;
            metadata: components["schemas"]["Metadata"];
            namespace: string;
            /** @description Only with `explain`: the parts of the score, of the passage that scored best. */
            explanation?: {
                /** @enum {string} */
                mode: "semantic" | "lexical" | "hybrid";
                /** @description The cosine c; absent in mode `lexical`. */
                semantic?: number;
                /** @description l; absent in mode `semantic`. */
                lexical?: number;
                /** @description Absent in mode `semantic`. */
                bm25?: number;
                /** @description How far the model reads query and text, multiplied, from 0 to 1; c counts by it. Absent where the model was not measured, in mode `lexical`, and in a chosen `semantic`. */
                readable?: number;
                /** @description The share of the query’s words, by weight, that the passage has. Absent in mode `semantic`. `threshold` is compared with it where words rank because the model cannot read the query. */
                matched?: number;
                /** @description With `rerank`: the score before it. */
                retrieval?: number;
            };
            /** @description Only with `highlights`: the passage of `text` that scored best, in Unicode code points, the end excluded. Empty for a vector, and for a long text after long texts of 500,000 characters together. */
            highlights?: {
                start: number;
                end: number;
            }[];
            /** @description Only with `highlights`: where the passage stands in its file; without a highlight, where the whole text does. Empty for documents and vectors; of a summary only the file. */
            places?: components["schemas"]["Place"][];
            /** @description Only with `context`: the neighbors of a chunk in its file, in reading order. */
            context?: {
                before: {
                    id: components["schemas"]["ItemId"];
                    text: string;
                }[];
                after: {
                    id: components["schemas"]["ItemId"];
                    text: string;
                }[];
            };
            /** @description Only with `group_by`: further hits in the same file among those that were read, best first. */
            others?: {
                id: components["schemas"]["ItemId"];
                score: number;
            }[];
        };
        Hits: {
            /** @description Best first; equal scores by namespace name, then id. */
            results: components["schemas"]["Hit"][];
            /** @description Seconds. */
            execution_time: number;
            /** @description Seconds by stage; `total` covers them all. */
            timings: {
                [key: string]: number;
            };
            /** @description A form of the Moorcheh API: how the search was done, for people. Only `points_read` is a measurement. */
            optimization_info: {
                fetch_strategy: string;
                initial_fetch: string;
                complete_fetch: string;
                /** @description Points read from the index. */
                points_read?: number;
            };
            /** @description Only with `rerank`. */
            rerank?: {
                model: string;
                /** @description Hits that the model has read. */
                candidates: number;
                /** @description Results whose place is another than without `rerank`. */
                moved: number;
                seconds: number;
            };
            /** @description Present only if the index audit found missing points in these namespaces. Their documents are stored, and are searchable again once the audit has restored the points. */
            degraded?: string[];
            /** @description Present only if fields of the request were ignored, because they are unknown, or capped. */
            warnings?: string[];
        };
        /**
         * @description Id of a document or vector.
         * @example doc-1
         */
        ItemId: string;
        ItemsDeleted: {
            /** @constant */
            status: "success";
            message: string;
            namespace_name: string;
            /** @description Number of ids sent, including duplicates. */
            requested_deletions: number;
            /** @description Existing items that were deleted. */
            actual_deletions: number;
            remaining_items: number;
            requested_ids: components["schemas"]["ItemId"][];
            deleted_ids: components["schemas"]["ItemId"][];
            /** @description Ids whose deletion failed; empty on 200. */
            unprocessed_ids: components["schemas"]["ItemId"][];
            /** @description Only with `filter`. */
            matched_items?: number;
            /** @description Only with `dry_run`: up to ten of the items that match. */
            sample_ids?: components["schemas"]["ItemId"][];
            /** @description Only with `filter`: not everything was read, because it took too long or 10,000 items match. Repeat the request. */
            has_more?: boolean;
        };
        ItemsPartlyDeleted: {
            /** @constant */
            status: "partial";
            message: string;
            namespace_name: string;
            /** @description Number of ids sent, including duplicates. */
            requested_deletions: number;
            /** @description Existing items that were deleted. */
            actual_deletions: number;
            remaining_items: number;
            requested_ids: components["schemas"]["ItemId"][];
            deleted_ids: components["schemas"]["ItemId"][];
            /** @description Ids whose deletion failed; empty on 200. */
            unprocessed_ids: components["schemas"]["ItemId"][];
            /** @description Only with `filter`. */
            matched_items?: number;
            /** @description Only with `dry_run`: up to ten of the items that match. */
            sample_ids?: components["schemas"]["ItemId"][];
            /** @description Only with `filter`: not everything was read, because it took too long or 10,000 items match. Repeat the request. */
            has_more?: boolean;
        };
        /**
         * @example {
         *       "questions_hash": "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
         *       "mode": "hybrid",
         *       "model": "all-MiniLM-L6-v2",
         *       "ndcg_at_10": [
         *         1,
         *         0.6309
         *       ],
         *       "recall_at_10": [
         *         1,
         *         1
         *       ],
         *       "first_ranks": [
         *         1,
         *         2
         *       ]
         *     }
         */
        KeepEvaluation: {
            /** @description Hash of the questions and what is expected. Only evaluations with the same hash are compared. */
            questions_hash: string;
            /** @enum {string} */
            mode: "semantic" | "lexical" | "hybrid";
            /** @description The model of the namespace when its questions were searched. */
            model: string;
            /** @description nDCG of the first ten hits, by question. */
            ndcg_at_10: number[];
            /** @description Share of what is expected that is among the first ten hits, by question. */
            recall_at_10: number[];
            /** @description Rank of the first hit that is expected, by question; 0: nothing was found. */
            first_ranks: number[];
            /**
             * @description The questions with the lowest nDCG.
             * @default []
             */
            worst?: components["schemas"]["WorstQuestion"][];
            /** @description An earlier evaluation of the same questions, and how likely the difference is by chance. */
            against?: {
                evaluation_id: string;
                /** @description Of a paired, two-sided test of the nDCG of each question. */
                p: number;
            };
        };
        LimitFailure: {
            /** @constant */
            status: "failure";
            /** @description The cause, for people. */
            message: string;
            /** @description The kind of failure, for programs. It does not change for a given cause. */
            error: string;
            /** @description Also in the header `x-request-id`. */
            request_id: string;
            /** @description Requests of this period; absent when the subscription has expired. */
            current_usage?: number;
            /** @description The plan's requests in a period; absent when the subscription has expired. */
            limit?: number;
        };
        ListedFile: {
            file_name: string;
            /** @enum {string} */
            state: "queued" | "processing" | "completed" | "failed";
            /** @description Why it failed, for programs. */
            reason: string | null;
            /** @description Bytes. */
            size: number;
            /** @description Of the uploaded bytes. */
            etag: string;
            published_etag: string | null;
            last_modified: components["schemas"]["Timestamp"];
            /** @description Number of searchable chunks. */
            chunks: number;
            /** @description Number of notes about content that was left out or guessed. */
            notes: number;
            metadata: components["schemas"]["Metadata"];
            created_at: components["schemas"]["Timestamp"];
            updated_at: components["schemas"]["Timestamp"];
        };
        /**
         * @description As sent, with a single object under `metadata` merged into the flat keys.
         * @example {
         *       "source": "handbook",
         *       "page": 4
         *     }
         */
        Metadata: {
            [key: string]: unknown;
        };
        Model: {
            /** @description The value of `model` when a namespace is created or reindexed. */
            name: string;
            /** @description `local`: runs in the service. `openai`: a server for embeddings. `lexical`: words only, without a model. */
            provider: string;
            dimension: number;
            /** @description Whether new namespaces get it. */
            is_default: boolean;
            /**
             * @description `idle`: it is loaded when it is used first. `failed`: it can not be used now.
             * @enum {string}
             */
            state: "ready" | "loading" | "failed" | "idle";
            /** @description While `loading`, as far as it is known. */
            progress?: number;
            /** @description Scripts that the model does not read, by name. Absent where the model was not measured. */
            unread_scripts?: string[];
        };
        ModelList: {
            models: components["schemas"]["Model"][];
        };
        MultipartAborted: {
            success: boolean;
            message: string;
            namespace: string;
            file_name: string;
        };
        MultipartCompleted: {
            success: boolean;
            message: string;
            namespace: string;
            file_name: string;
            size: number;
            etag: string;
        };
        MultipartUpload: {
            upload_id: string;
            key: string;
            content_type: string;
            /** @constant */
            method: "PUT";
            /** @description Recommended bytes. All parts but the last need at least 5 MB (5 · 1024 · 1024 bytes). */
            part_size: number;
            /** @description Seconds until each URL expires; request new ones with `upload_id`. */
            expires_in: number;
            parts: {
                part: number;
                upload_url: string;
            }[];
            hint: string;
        };
        Namespace: {
            namespace_name: string;
            /** @enum {string} */
            type: "text" | "vector";
            /** @description null for text namespaces. */
            vector_dimension: number | null;
            /** @description The embedding model; null for vector namespaces. */
            model?: string | null;
            /**
             * @description null for vector namespaces.
             * @enum {string|null}
             */
            language?: "ar" | "ca" | "cs" | "da" | "de" | "en" | "es" | "eu" | "fi" | "fr" | "ga" | "hu" | "hy" | "it" | "nl" | "no" | "pt" | "ro" | "ru" | "sl" | "sv" | "ta" | "tr" | "none" | null;
            /** @description Scripts that the model does not read, by name: texts in them are ranked by their words. Absent for vector namespaces, and where the model was not measured. */
            unread_scripts?: string[];
            item_count: number;
            created_at: components["schemas"]["Timestamp"];
        };
        NamespaceCreated: {
            /** @constant */
            status: "success";
            message: string;
            namespace_name: string;
            /** @enum {string} */
            type: "text" | "vector";
            vector_dimension: number | null;
        };
        NamespaceDeleting: {
            /** @constant */
            status: "pending";
            message: string;
            namespace_name: string;
            /** @description Its state is at `/v1/deletions/{deletion_id}`. */
            deletion_id: string;
            deletion_started_at: components["schemas"]["Timestamp"];
            /**
             * @description When the name is expected to be free, from what the last deletions took; an assumption until deletions were measured. The state of the deletion has a later estimate.
             * @example 2026-03-01T12:00:00.000Z
             */
            estimated_completion: components["schemas"]["Timestamp"];
        };
        NamespaceList: {
            namespaces: components["schemas"]["Namespace"][];
        };
        /**
         * @description Unique within the account.
         * @example my-documents
         */
        NamespaceName: string;
        Orphan: {
            /** @description In the object store. */
            key: string;
            /** @description Bytes. */
            size: number;
            first_seen_at: components["schemas"]["Timestamp"];
            last_seen_at: components["schemas"]["Timestamp"];
            /** @description Whether its removal by the next sweep was approved. */
            approved: boolean;
        };
        OrphanList: {
            orphans: components["schemas"]["Orphan"][];
            next: string | null;
        };
        OwnUsage: {
            /** @description The month in UTC, such as `2026-03`. */
            period: string;
            /** @description In this period. */
            requests: {
                used: number;
                /** @description null: unlimited. */
                limit: number | null;
            };
            /** @description In this period. */
            credits: {
                used: number;
            };
            /** @description The first day. */
            from: string;
            /** @description The last day. */
            to: string;
            /** @enum {string} */
            by: "day" | "namespace" | "key";
            /** @description One for each day, oldest first; or one for each namespace or key, those with the most requests first. A request counts in every namespace that it names, so rows of namespaces may add up to more than `total`; one that names none, or fails, counts in none. */
            rows: components["schemas"]["UsageRow"][];
            /** @description What is counted by namespace or by key, but has no row of its own because there are too many. */
            other: components["schemas"]["UsageSum"];
            /** @description All requests of these days, each once. */
            total: components["schemas"]["UsageSum"];
        };
        Place: {
            /** @description Name of the file. */
            file: string;
            /** @description Page of a PDF or of a picture. */
            page?: number;
            /** @description Where the text stands on the page: a box for each line, in parts of the page’s width and height as displayed, measured from its upper left corner. */
            boxes?: {
                left: number;
                top: number;
                width: number;
                height: number;
            }[];
            slide?: number;
            sheet?: string;
            /** @description Rows of a sheet or a CSV file, from 1, the header included; both ends inclusive. */
            rows?: {
                from: number;
                to: number;
            };
            /** @description Columns of these rows, from 1; both ends inclusive. */
            columns?: {
                from: number;
                to: number;
            };
            /** @description The headings above the text, outermost first, joined by ` > `. */
            heading?: string;
            /** @description JSON Pointer (RFC 6901) to the value in a JSON file. */
            pointer?: string;
            /** @description Path of the chapter within an EPUB file. */
            part?: string;
            /** @description Range of the decoded text of a text or Markdown file, in UTF-16 code units, the end excluded. */
            offset?: {
                from: number;
                to: number;
            };
        };
        Readiness: {
            /** @enum {string} */
            status: "ready" | "not_ready";
            /** @description By name. `detail`: the cause of a failure, or a remark on a working dependency. `progress`: how far its start is, where that is known. */
            dependencies: {
                [key: string]: components["schemas"]["Check"];
            };
        };
        Reextraction: {
            namespace_name: string;
            /** @enum {string} */
            state: "idle" | "running";
            /** @description Version of the extraction that the server has. */
            extraction_version: number;
            /** @description Files whose searchable content an earlier version has read; while it runs, those that it has not dealt with. */
            outdated_files: number;
            /** @description Of the last one, also after its end; null before the first. Files that users replace or delete meanwhile are not counted. */
            progress: {
                /** @description Outdated files when it began. */
                total: number;
                /** @description Files whose new content is searchable. */
                extracted: number;
                /** @description Files that could not be extracted again. Their former content stays searchable. */
                failed: number;
                /** @description Files that are left as they are, because their bytes are not stored any more. */
                without_bytes: number;
            } | null;
            /**
             * Format: date-time
             * @description ISO 8601, UTC.
             * @example 2026-03-01T12:00:00.000Z
             */
            started_at: string | null;
            /**
             * Format: date-time
             * @description ISO 8601, UTC.
             * @example 2026-03-01T12:00:00.000Z
             */
            ended_at: string | null;
        };
        Reindex: {
            namespace_name: string;
            /**
             * @description `filling`: all texts are being embedded with the other model. `filled`: that is done. `flipping`: the last check before the models change places. `kept`: they did; the former points are kept for a rollback. `removing`: the points of the other model are being removed.
             * @enum {string}
             */
            phase: "filling" | "filled" | "flipping" | "kept" | "removing";
            /** @description The model that is searched now. */
            model: string;
            /** @description The model of the other points: the next one before the flip, the former one after it. */
            other_model: string;
            /** @enum {string} */
            flip: "automatic" | "manual";
            keep_days: number;
            progress: {
                /** @description Items and chunks. */
                total: number;
                /** @description Those that this phase has checked. */
                passed: number;
                /** @description Those that were embedded so far. */
                written: number;
                /** @description Those that only the other model rejects: it would not find them. */
                rejected: number;
            };
            /** @description Why it does not continue now; null: it does. */
            error: string | null;
            /** @description Texts of searches that are kept for the comparison; null: none is. */
            queries: number | null;
            comparison: {
                queries: number;
                /** @description Mean share of the ten best items that are among the ten best by the other model. */
                overlap_at_10: number;
                median_ms: number;
                other_median_ms: number;
            } | null;
            started_at: components["schemas"]["Timestamp"];
            phase_started_at: components["schemas"]["Timestamp"];
            /**
             * Format: date-time
             * @description When the phase is expected to end, from its progress. null in phases that do not advance by themselves.
             * @example 2026-03-01T12:00:00.000Z
             */
            estimated_completion?: string | null;
            /**
             * Format: date-time
             * @description ISO 8601, UTC.
             * @example 2026-03-01T12:00:00.000Z
             */
            flipped_at: string | null;
            /**
             * Format: date-time
             * @description ISO 8601, UTC.
             * @example 2026-03-01T12:00:00.000Z
             */
            kept_until: string | null;
        };
        ReindexEstimate: {
            namespace_name: string;
            /** @description The model that is searched now. */
            model: string;
            /** @description The model that the texts would be embedded with. */
            other_model: string;
            items: number;
            /** @description Chunks of files. */
            chunks: number;
            characters: number;
            /** @description What the model embeds: a long text is several. */
            passages: number;
            /** @description Tokens that a server for embeddings would be sent; null for other models. */
            tokens: number | null;
            /** @description At the speed that the model has now. */
            seconds: number;
            /** @description Texts of the namespace that were read for the estimate. */
            sampled: number;
        };
        Retried: {
            /** @constant */
            status: "success";
            message: string;
            namespace_name: string;
            /** @description Documents that were queued again, or would be with `dry_run`. */
            documents: number;
            files: number;
            /** @description The uploads that process the documents again. */
            upload_ids: string[];
            file_names: string[];
            /** @description What failed and was not retried, by reason, with what to do instead. */
            refused: {
                /** @enum {string} */
                kind: "documents" | "files";
                reason: string;
                count: number;
                message: string;
                remedy: string;
                /** @description Their ids or file names, at most 20. */
                names: string[];
            }[];
            /** @description Not everything was read: continue with `next_token`. */
            has_more: boolean;
            next_token: string | null;
        };
        /**
         * @example {}
         * @example {
         *       "kind": "files",
         *       "reason": [
         *         "crashed_worker"
         *       ],
         *       "dry_run": true
         *     }
         * @example {
         *       "ids": [
         *         "doc-1"
         *       ]
         *     }
         */
        RetryFailed: {
            /** @description Only these documents or vectors. */
            ids?: components["schemas"]["SentId"][];
            /**
             * @description Default: both. Vectors are documents here.
             * @enum {string}
             */
            kind?: "documents" | "files";
            /** @description Only what failed for one of these reasons. Without it: reasons that may pass. Permanent ones, such as `embedding_refused` or `encrypted`, are retried only if they are named. */
            reason?: string[];
            /**
             * Format: date-time
             * @description Only what failed at this time or later.
             */
            after?: string;
            /**
             * Format: date-time
             * @description Only what failed before this time.
             */
            before?: string;
            /**
             * @description Retry nothing, and return what would be retried.
             * @default false
             */
            dry_run?: boolean;
            /** @description `next_token` of the answer before. */
            next_token?: string;
        };
        RetryFile: {
            /** @description Read pages that have no text as images. Default true. */
            ocr?: boolean;
            /** @description Languages of the text recognition, as Tesseract names them. */
            languages?: string[];
            /** @description Encoding of a text file. Default: detected. */
            encoding?: string;
        };
        RetryUpload: {
            /** @description Only what failed for one of these reasons. Without it: reasons that may pass. Permanent ones, such as `embedding_refused` or `encrypted`, are retried only if they are named. */
            reason?: string[];
            /**
             * @description Retry nothing, and return what would be retried.
             * @default false
             */
            dry_run?: boolean;
        };
        /**
         * @example {
         *       "query": "how is a path marked",
         *       "namespaces": [
         *         "my-documents"
         *       ],
         *       "top_k": 5
         *     }
         */
        Search: {
            query: components["schemas"]["SearchQuery"];
            /** @description All of the same type. */
            namespaces: string[];
            /**
             * @description Number of hits; values above 100 are treated as 100.
             * @default 10
             */
            top_k?: number;
            /**
             * @description Leave out hits below `threshold`, which is then required.
             * @default false
             */
            kiosk_mode?: boolean;
            threshold?: number;
            /**
             * @description `semantic` compares meanings, `lexical` words (BM25), `hybrid` both. Without it: `hybrid` for a text, `semantic` with `kiosk_mode` or `threshold`, and for a vector, which has no words.
             * @enum {string}
             */
            mode?: "semantic" | "lexical" | "hybrid";
            /**
             * @description Add the parts of each score.
             * @default false
             */
            explain?: boolean;
            /**
             * @description Add where in each text, and in its file, the passage that scored best is.
             * @default false
             */
            highlights?: boolean;
            /**
             * @description Number of chunks of the same file to add on each side of a hit.
             * @default 0
             */
            context?: number;
            /**
             * @description Order the best hits, 50 at least, by a model that reads each with the query. `score` is then its relevance. Needs a server with a reranker.
             * @default false
             */
            rerank?: boolean;
            /**
             * @description Return one hit for each file, its best; `others` has the further ones. Other items stay apart.
             * @constant
             */
            group_by?: "file";
            filter?: components["schemas"]["Filter"];
        };
        /**
         * @description Text for text namespaces, a vector for vector namespaces. A text may end in filters, separated by spaces, which must all match: `#key:value` compares metadata (ignoring case; a hyphen equals a space; arrays match by element), `#word` requires a whole word of the text.
         * @example how is a path marked #source:handbook
         * @example [
         *       0.12,
         *       -0.4,
         *       0.83,
         *       0.05
         *     ]
         */
        SearchQuery: string | number[];
        /**
         * @description A flat object: `id`, `text` (10 to 50000 characters, counted in Unicode code points; the lower bound is a setting of the server) and metadata, which is every other key (at most 50 keys and 2048 bytes of JSON). A document whose text or metadata breaks a rule fails alone and is named in the 207; a bad id refuses the request.
         * @example {
         *       "id": "doc-1",
         *       "text": "Cairns are piles of stones that mark a path.",
         *       "source": "handbook"
         *     }
         */
        SentDocument: {
            id: components["schemas"]["SentId"];
            /** @description The text to be stored and searched. */
            text?: string;
        } & {
            [key: string]: unknown;
        };
        /**
         * @description An object of at most 50 keys and 2048 bytes of JSON. It is added to the metadata of each chunk, where filters find it; the keys of the chunk itself, such as `source`, `title` and `page`, come first.
         * @example {
         *       "department": "sales",
         *       "year": 2026
         *     }
         */
        SentFileMetadata: {
            [key: string]: unknown;
        };
        /**
         * @description Relative path of the file below the namespace, at most 700 bytes of UTF-8 and 255 between slashes, ending in one of .pdf, .docx, .xlsx, .json, .txt, .csv, .md, .html, .htm, .pptx, .eml, .epub, .png, .jpg, .jpeg, .tiff, .tif, .webp. No backslash, no control characters, no segment that is empty, `.` or `..`. Composed and decomposed spellings are one name.
         * @example reports/2026/summary.pdf
         */
        SentFileName: string;
        /**
         * @description 1 to 512 bytes of UTF-8 without control characters. A number is taken as its text, so `1` and `"1"` are the same id; integers beyond ±(2^53−1) must be sent as strings.
         * @example doc-1
         * @example 17
         */
        SentId: string | number;
        /**
         * @description A flat object: `id`, `vector` (as many numbers as the namespace has dimensions, each within the range of a 32-bit float, not all zero), `text` (optional, for display) and metadata, which is every other key. A vector that breaks a rule fails alone and is named in the 207; when all fail, or an id is bad, the request is refused.
         * @example {
         *       "id": "vec-1",
         *       "vector": [
         *         0.12,
         *         -0.4,
         *         0.83,
         *         0.05
         *       ],
         *       "colour": "red"
         *     }
         */
        SentVector: {
            id: components["schemas"]["SentId"];
            vector: number[];
            text?: string | null;
        } & {
            [key: string]: unknown;
        };
        StartMultipart: {
            file_name: components["schemas"]["SentFileName"];
            /** @description An upload in progress, to get URLs for more parts or new URLs. */
            upload_id?: string;
            /** @default 1 */
            first_part?: number;
            /**
             * @description Number of URLs.
             * @default 100
             */
            parts?: number;
            /** @description Metadata of the file. An object of at most 50 keys and 2048 bytes of JSON. It is added to the metadata of each chunk, where filters find it; the keys of the chunk itself, such as `source`, `title` and `page`, come first. Without this field, the file keeps the metadata that it has. */
            metadata?: components["schemas"]["SentFileMetadata"];
        };
        /**
         * @example {
         *       "model": "lexical",
         *       "dry_run": true
         *     }
         */
        StartReindex: {
            /** @description The model to change to, one of those that the server offers. Default: the current model of the server. */
            model?: string;
            /**
             * @description Only estimates what it would take.
             * @default false
             */
            dry_run?: boolean;
            /**
             * @description `manual`: the namespace keeps its model until the flip is requested.
             * @default automatic
             * @enum {string}
             */
            flip?: "automatic" | "manual";
            /**
             * @description Days after the flip for which the former points are kept up to date, so that it can be rolled back.
             * @default 7
             */
            keep_days?: number;
            /**
             * @description Keeps the texts of up to 50 searches, only until the flip, and compares what both models find for them.
             * @default false
             */
            compare_queries?: boolean;
        };
        StoredFile: {
            file_name: string;
            /** @description Bytes. */
            size: number;
            /**
             * @description By the clock of the object store.
             * @example 2026-03-01T12:00:00.000Z
             */
            last_modified: components["schemas"]["Timestamp"];
            /** @enum {string} */
            state: "awaiting_upload" | "queued" | "processing" | "completed" | "failed";
            etag: string;
            /** @description Number of searchable chunks. */
            chunks: number;
            /** @description Number of notes about content that was left out or guessed. */
            notes: number;
        };
        StructuredResponse: {
            /** @default false */
            enabled?: boolean;
            /** @description JSON Schema of an object. Default: an answer with confidence, sources, summary, topics and follow-up questions. */
            schema?: {
                [key: string]: unknown;
            };
            /** @default structured_answer */
            tool_name?: string;
            /** @default The answer with what it rests on */
            tool_description?: string;
        };
        TextDataHeads: {
            /** @constant */
            status: "success";
            message: string;
            namespace: string;
            /** @description Of this page only. */
            statistics: {
                total_items: number;
                total_text_chunks: number;
                total_summary_chunks: number;
                /**
                 * Format: date-time
                 * @description ISO 8601, UTC.
                 * @example 2026-03-01T12:00:00.000Z
                 */
                created_at_min: string | null;
                /**
                 * Format: date-time
                 * @description ISO 8601, UTC.
                 * @example 2026-03-01T12:00:00.000Z
                 */
                created_at_max: string | null;
            };
            items: components["schemas"]["ChunkHead"][];
            pagination: {
                limit: number;
                has_more: boolean;
                next_token: string | null;
            };
            /** @description Seconds. */
            execution_time: number;
        };
        TextDataPage: {
            /** @constant */
            status: "success";
            message: string;
            namespace: string;
            /** @description Of this page only. */
            statistics: {
                total_items: number;
                total_text_chunks: number;
                total_summary_chunks: number;
                /**
                 * Format: date-time
                 * @description ISO 8601, UTC.
                 * @example 2026-03-01T12:00:00.000Z
                 */
                created_at_min: string | null;
                /**
                 * Format: date-time
                 * @description ISO 8601, UTC.
                 * @example 2026-03-01T12:00:00.000Z
                 */
                created_at_max: string | null;
                source_counts: {
                    [key: string]: number;
                };
            };
            items: components["schemas"]["Chunk"][];
            pagination: {
                limit: number;
                has_more: boolean;
                next_token: string | null;
            };
            /** @description Seconds. */
            execution_time: number;
        };
        Tier: {
            name: string;
            /** @description null: unlimited. */
            namespaces: number | null;
            /** @description null: unlimited. */
            documents: number | null;
            /** @description null: unlimited. */
            vectors: number | null;
            /** @description In a calendar month, UTC. null: unlimited. */
            requests: number | null;
            /** @description Of stored and announced files. null: unlimited. */
            bytes: number | null;
            /** @description null: unlimited. */
            open_uploads: number | null;
        };
        TierList: {
            tiers: components["schemas"]["Tier"][];
        };
        /**
         * Format: date-time
         * @description ISO 8601, UTC.
         * @example 2026-03-01T12:00:00.000Z
         */
        Timestamp: string;
        /**
         * @description At least one of the fields.
         * @example {
         *       "tier": "enterprise"
         *     }
         */
        UpdateAccount: {
            /** @description One of the tiers the server was started with. */
            tier?: string;
            /**
             * Format: date-time
             * @description null: it does not end.
             */
            subscription_ends_at?: string | null;
        };
        /** @description `metadata` replaces all metadata that was sent with the file. */
        UpdateFile: {
            metadata: components["schemas"]["SentFileMetadata"];
        };
        UpdateKey: {
            /** @enum {string} */
            state: "active" | "inactive" | "disabled" | "revoked";
        };
        Upload: {
            upload_id: string;
            namespace_name: string;
            /** @enum {string} */
            kind: "text" | "vectors" | "chunks";
            /**
             * @description `completed` if at least one document did not fail; `failed` if all did or processing was abandoned.
             * @enum {string}
             */
            state: "accepting" | "queued" | "running" | "completed" | "failed";
            /** @enum {string} */
            processing_status: "in_progress" | "completed" | "failed";
            /** @description Why the whole upload failed, for programs. */
            reason: string | null;
            /** @description Passages by the source of their vectors: texts that the namespace had already, and texts that the model embedded. null until all are indexed, and for vectors. */
            passages?: {
                reused: number;
                embedded: number;
            } | null;
            /** @description Number of times processing was started. */
            attempts: number;
            created_at: components["schemas"]["Timestamp"];
            /**
             * Format: date-time
             * @description When processing last began.
             * @example 2026-03-01T12:00:00.000Z
             */
            started_at: string | null;
            updated_at: components["schemas"]["Timestamp"];
            /**
             * Format: date-time
             * @description ISO 8601, UTC.
             * @example 2026-03-01T12:00:00.000Z
             */
            finished_at: string | null;
            /**
             * Format: date-time
             * @description When the work is expected to be finished, from what is queued before it and what the last work of its kind took. null once it is finished, and while nothing is known.
             * @example 2026-03-01T12:00:00.000Z
             */
            estimated_completion: string | null;
            /**
             * Format: date-time
             * @description Time of the next attempt; null while processing runs and once it is finished.
             * @example 2026-03-01T12:00:00.000Z
             */
            next_attempt_at: string | null;
            /** @description Seconds by stage; stages that have not run are missing. */
            timings: {
                [key: string]: number;
            };
            /** @description The accepted documents, then the rejected ones. */
            documents: components["schemas"]["UploadDocumentOutcome"][];
            /** @description Documents by outcome. */
            counts: {
                pending: number;
                completed: number;
                failed: number;
                superseded: number;
                deleted: number;
            };
        };
        UploadDocumentList: {
            upload_id: string;
            namespace_name: string;
            documents: components["schemas"]["UploadDocumentOutcome"][];
            pagination: {
                limit: number;
                has_more: boolean;
                next_token: string | null;
            };
        };
        UploadDocumentOutcome: {
            id: components["schemas"]["ItemId"];
            /** @enum {string} */
            status: "processing" | "completed" | "failed";
            /**
             * @description `superseded`: a later upload replaced the document. `deleted`: the document was deleted before it was indexed.
             * @enum {string}
             */
            outcome: "pending" | "completed" | "failed" | "superseded" | "deleted";
            /**
             * @description The outcome; of a pending document, whether its processing has been started.
             * @enum {string}
             */
            state: "queued" | "running" | "completed" | "failed" | "superseded" | "deleted";
            /** @description Why it failed, for programs. */
            reason: string | null;
            /** @description Why it failed, for people. */
            message: string | null;
            /** @description How to fix it. */
            remedy: string | null;
            /** @description Number of times its processing was started. */
            attempts: number;
            /**
             * Format: date-time
             * @description Set while it is queued.
             * @example 2026-03-01T12:00:00.000Z
             */
            next_attempt_at: string | null;
            /**
             * Format: date-time
             * @description null for a document that was rejected.
             * @example 2026-03-01T12:00:00.000Z
             */
            accepted_at: string | null;
            /**
             * Format: date-time
             * @description When its processing last began.
             * @example 2026-03-01T12:00:00.000Z
             */
            started_at: string | null;
            /**
             * Format: date-time
             * @description When the upload was finished. A document is searchable before that, once it is `completed`.
             * @example 2026-03-01T12:00:00.000Z
             */
            finished_at: string | null;
        };
        UploadDocuments: {
            documents: components["schemas"]["SentDocument"][];
        };
        UploadForm: {
            /**
             * Format: binary
             * @description The file, at most 10 MB (10 · 1024 · 1024 bytes). Its file name, with or without a path, becomes the name of the file.
             */
            file: string;
            /** @description JSON. An object of at most 50 keys and 2048 bytes of JSON. It is added to the metadata of each chunk, where filters find it; the keys of the chunk itself, such as `source`, `title` and `page`, come first. Without this field, the file keeps the metadata that it has. */
            metadata?: string;
        };
        UploadList: {
            uploads: components["schemas"]["UploadSummary"][];
            pagination: {
                limit: number;
                has_more: boolean;
                next_token: string | null;
            };
        };
        UploadSummary: {
            upload_id: string;
            namespace_name: string;
            /** @enum {string} */
            kind: "text" | "vectors" | "chunks";
            /**
             * @description `completed` if at least one document did not fail; `failed` if all did or processing was abandoned.
             * @enum {string}
             */
            state: "accepting" | "queued" | "running" | "completed" | "failed";
            /** @enum {string} */
            processing_status: "in_progress" | "completed" | "failed";
            /** @description Why the whole upload failed, for programs. */
            reason: string | null;
            /** @description Passages by the source of their vectors: texts that the namespace had already, and texts that the model embedded. null until all are indexed, and for vectors. */
            passages?: {
                reused: number;
                embedded: number;
            } | null;
            /** @description Number of times processing was started. */
            attempts: number;
            created_at: components["schemas"]["Timestamp"];
            /**
             * Format: date-time
             * @description When processing last began.
             * @example 2026-03-01T12:00:00.000Z
             */
            started_at: string | null;
            updated_at: components["schemas"]["Timestamp"];
            /**
             * Format: date-time
             * @description ISO 8601, UTC.
             * @example 2026-03-01T12:00:00.000Z
             */
            finished_at: string | null;
            /**
             * Format: date-time
             * @description When the work is expected to be finished, from what is queued before it and what the last work of its kind took. null once it is finished, and while nothing is known.
             * @example 2026-03-01T12:00:00.000Z
             */
            estimated_completion: string | null;
            /**
             * Format: date-time
             * @description Time of the next attempt; null while processing runs and once it is finished.
             * @example 2026-03-01T12:00:00.000Z
             */
            next_attempt_at: string | null;
            /** @description Seconds by stage; stages that have not run are missing. */
            timings: {
                [key: string]: number;
            };
            /** @description Number of documents, the rejected ones included. */
            documents: number;
            /** @description Number of documents that are known to have failed. */
            failed: number;
        };
        UploadUrl: {
            /** @description URL for the PUT of the file. Secret: anyone who has it can upload the file until it expires. */
            upload_url: string;
            /** @description Ends in `<owner_id>/<namespace_name>/<file_name>`. */
            key: string;
            /** @description Must be sent as Content-Type. */
            content_type: string;
            /** @description Seconds. */
            expires_in: number;
            /** @constant */
            method: "PUT";
            /** @description How to upload the file, for people. */
            hint: string;
        };
        UploadVectors: {
            vectors: components["schemas"]["SentVector"][];
        };
        UploadedDocument: {
            id: components["schemas"]["ItemId"];
            /** @enum {string} */
            status: "processing" | "completed" | "failed";
            character_count: number;
        };
        UploadedVector: {
            id: components["schemas"]["ItemId"];
            /** @enum {string} */
            status: "completed" | "failed";
            dimension: number;
            created_at: components["schemas"]["Timestamp"];
        };
        Usage: {
            account_id: string;
            tier: string;
            /** @description The month in UTC, such as `2026-03`. */
            period: string;
            requests: {
                used: number;
                /** @description null: unlimited. */
                limit: number | null;
            };
            credits: {
                used: number;
            };
            namespaces: {
                used: number;
                /** @description null: unlimited. */
                limit: number | null;
            };
            documents: {
                used: number;
                /** @description null: unlimited. */
                limit: number | null;
            };
            vectors: {
                used: number;
                /** @description null: unlimited. */
                limit: number | null;
            };
            /** @description Of stored files, of parts, and of announced uploads. */
            bytes: {
                used: number;
                /** @description null: unlimited. */
                limit: number | null;
                /** @description The part of `used` that is not a file yet: stored parts, and uploads announced with a size. */
                reserved: number;
            };
            /** @description Upload URLs without `file_size`, and multipart uploads without parts, that are still pending. */
            open_uploads: {
                used: number;
                /** @description null: unlimited. */
                limit: number | null;
            };
            /** @description The first day. */
            from: string;
            /** @description The last day. */
            to: string;
            /** @enum {string} */
            by: "day" | "namespace" | "key";
            /** @description One for each day, oldest first; or one for each namespace or key, those with the most requests first. A request counts in every namespace that it names, so rows of namespaces may add up to more than `total`; one that names none, or fails, counts in none. */
            rows: components["schemas"]["UsageRow"][];
            /** @description What is counted by namespace or by key, but has no row of its own because there are too many. */
            other: components["schemas"]["UsageSum"];
            /** @description All requests of these days, each once. */
            total: components["schemas"]["UsageSum"];
        };
        UsageRow: {
            /** @description With `by=day`, such as `2026-01-31`. */
            day?: string;
            /** @description With `by=namespace`; the namespace may have been deleted since. */
            namespace_name?: string;
            /** @description With `by=key`. */
            key_id?: string;
            /** @description With `by=key`. */
            key_name?: string;
            requests: number;
            credits: number;
        };
        UsageSum: {
            requests: number;
            credits: number;
        };
        VectorsPartlyStored: {
            /** @constant */
            status: "partial_success";
            message: string;
            upload_id: string;
            namespace_name: string;
            vectors_processed: number;
            /** @constant */
            processing_status: "completed";
            uploaded_vectors: components["schemas"]["UploadedVector"][];
            vector_ids_processed: components["schemas"]["ItemId"][];
            /** @description The failed vectors again, in short form. */
            errors: {
                id: components["schemas"]["ItemId"];
                error: string;
            }[];
            vectors_failed: number;
            failed_vectors: components["schemas"]["FailedVector"][];
        };
        VectorsStored: {
            /** @constant */
            status: "success";
            message: string;
            upload_id: string;
            namespace_name: string;
            vectors_processed: number;
            /** @constant */
            processing_status: "completed";
            uploaded_vectors: components["schemas"]["UploadedVector"][];
            vector_ids_processed: components["schemas"]["ItemId"][];
            /** @description The failed vectors again, in short form. */
            errors: {
                id: components["schemas"]["ItemId"];
                error: string;
            }[];
        };
        WorstQuestion: {
            /** @description Its beginning. */
            question: string;
            ndcg_at_10: number;
            first_rank: number;
        };
    };
    responses: never;
    parameters: never;
    requestBodies: never;
    headers: {
        /** @description Names this call in the logs. */
        "x-request-id": string;
        /** @description What is left of the plan in this period. */
        RateLimit: string;
        /** @description The plan's limit and its period. */
        "RateLimit-Policy": string;
        /** @description Seconds to wait before trying again. */
        "Retry-After": number;
    };
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    listNamespaces: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description All namespaces of the account, without those being deleted. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "namespaces": [
                     *         {
                     *           "namespace_name": "my-documents",
                     *           "type": "text",
                     *           "vector_dimension": null,
                     *           "model": "all-MiniLM-L6-v2",
                     *           "language": "en",
                     *           "item_count": 2,
                     *           "created_at": "2026-03-01T12:00:00.000Z"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["NamespaceList"];
                };
            };
            /** @description The API key is missing, unknown, disabled, revoked or expired. */
            401: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description The API key is not activated or lacks the scope. */
            403: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description The plan's request limit is reached (`current_usage`, `limit`), or the subscription has expired, or too many or too large requests are under way (without them). */
            429: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["LimitFailure"];
                };
            };
            /** @description Internal server error; the message names the failing operation. */
            500: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description A part of the service is not available; try again after `Retry-After`. */
            503: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
        };
    };
    createNamespace: {
        parameters: {
            query?: never;
            header?: {
                /** @description A value of your own, such as a UUID, that makes the request safe to repeat: for 24 hours the same request with the same key gets the same response, and nothing is done twice. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateNamespace"];
            };
        };
        responses: {
            /** @description The namespace is ready. */
            201: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status": "success",
                     *       "message": "Namespace \"my-documents\" created",
                     *       "namespace_name": "my-documents",
                     *       "type": "text",
                     *       "vector_dimension": null
                     *     }
                     */
                    "application/json": components["schemas"]["NamespaceCreated"];
                };
            };
            /** @description The name, type or dimension is not allowed. The `Idempotency-Key` is not usable. */
            400: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description The API key is missing, unknown, disabled, revoked or expired. */
            401: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description The API key is not activated or lacks the scope, or the tier's namespace limit is reached (`details`). */
            403: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description The name exists already, or its deletion is not completed. A request with this `Idempotency-Key` is in progress. */
            409: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description The body is larger than 10 MB. */
            413: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description The `Idempotency-Key` was sent with another request. */
            422: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description The plan's request limit is reached (`current_usage`, `limit`), or the subscription has expired, or too many or too large requests are under way (without them). */
            429: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["LimitFailure"];
                };
            };
            /** @description Internal server error; the message names the failing operation. */
            500: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description A part of the service is not available; try again after `Retry-After`. */
            503: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
        };
    };
    getNamespace: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                namespace_name: components["schemas"]["NamespaceName"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The namespace. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "namespace_name": "my-documents",
                     *       "type": "text",
                     *       "vector_dimension": null,
                     *       "model": "all-MiniLM-L6-v2",
                     *       "language": "en",
                     *       "item_count": 2,
                     *       "created_at": "2026-03-01T12:00:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["Namespace"];
                };
            };
            /** @description The name is missing in the path. */
            400: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description The API key is missing, unknown, disabled, revoked or expired. */
            401: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description The API key is not activated or lacks the scope. */
            403: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description The namespace does not exist, is being deleted, or is not yours. */
            404: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description The plan's request limit is reached (`current_usage`, `limit`), or the subscription has expired, or too many or too large requests are under way (without them). */
            429: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["LimitFailure"];
                };
            };
            /** @description Internal server error; the message names the failing operation. */
            500: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description A part of the service is not available; try again after `Retry-After`. */
            503: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
        };
    };
    deleteNamespace: {
        parameters: {
            query?: never;
            header?: {
                /** @description A value of your own, such as a UUID, that makes the request safe to repeat: for 24 hours the same request with the same key gets the same response, and nothing is done twice. */
                "Idempotency-Key"?: string;
            };
            path: {
                namespace_name: components["schemas"]["NamespaceName"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The deletion is queued. */
            202: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NamespaceDeleting"];
                };
            };
            /** @description The name is missing in the path. The `Idempotency-Key` is not usable. */
            400: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description The API key is missing, unknown, disabled, revoked or expired. */
            401: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description The API key is not activated or lacks the scope. */
            403: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description The namespace does not exist or is not yours. */
            404: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description A request with this `Idempotency-Key` is in progress. */
            409: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description The `Idempotency-Key` was sent with another request. */
            422: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description The plan's request limit is reached (`current_usage`, `limit`), or the subscription has expired, or too many or too large requests are under way (without them). */
            429: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["LimitFailure"];
                };
            };
            /** @description Internal server error; the message names the failing operation. */
            500: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description A part of the service is not available; try again after `Retry-After`. */
            503: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
        };
    };
    listModels: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The models. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ModelList"];
                };
            };
            /** @description The API key is missing, unknown, disabled, revoked or expired. */
            401: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description The API key is not activated or lacks the scope. */
            403: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description The plan's request limit is reached (`current_usage`, `limit`), or the subscription has expired, or too many or too large requests are under way (without them). */
            429: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["LimitFailure"];
                };
            };
            /** @description Internal server error; the message names the failing operation. */
            500: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description A part of the service is not available; try again after `Retry-After`. */
            503: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
        };
    };
    uploadDocuments: {
        parameters: {
            query?: never;
            header?: {
                /** @description A value of your own, such as a UUID, that makes the request safe to repeat: for 24 hours the same request with the same key gets the same response, and nothing is done twice. */
                "Idempotency-Key"?: string;
            };
            path: {
                namespace_name: components["schemas"]["NamespaceName"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["UploadDocuments"];
            };
        };
        responses: {
            /** @description All documents are accepted and being processed. */
            202: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status": "success",
                     *       "message": "2 documents accepted and being processed",
                     *       "upload_id": "upload_01m8ddd4a18ayjbeda124fg79q",
                     *       "namespace_name": "my-documents",
                     *       "documents_processed": 2,
                     *       "processing_status": "in_progress",
                     *       "estimated_completion": "2026-03-01T12:00:02.000Z",
                     *       "uploaded_documents": [
                     *         {
                     *           "id": "refunds",
                     *           "status": "processing",
                     *           "character_count": 80
                     *         },
                     *         {
                     *           "id": "leave",
                     *           "status": "processing",
                     *           "character_count": 39
                     *         }
                     *       ],
                     *       "submitted_ids": [
                     *         "refunds",
                     *         "leave"
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["DocumentsAccepted"];
                };
            };
            /** @description Some or all documents were rejected; the rest are accepted. */
            207: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DocumentsPartlyAccepted"];
                };
            };
            /** @description `documents` is missing, empty or too long, or one has no usable id. The `Idempotency-Key` is not usable. */
            400: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description The API key is missing, unknown, disabled, revoked or expired. */
            401: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description The API key is not activated or lacks the scope, or the tier's document limit would be passed (`details`). */
            403: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description The text namespace does not exist or is not yours. */
            404: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description A request with this `Idempotency-Key` is in progress. */
            409: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description The body is larger than 10 MB. */
            413: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description The `Idempotency-Key` was sent with another request. */
            422: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description The plan's request limit is reached (`current_usage`, `limit`), or the subscription has expired, or too many or too large requests are under way (without them). */
            429: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["LimitFailure"];
                };
            };
            /** @description Internal server error; the message names the failing operation. */
            500: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description A part of the service is not available; try again after `Retry-After`. */
            503: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
        };
    };
    getDocuments: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                namespace_name: components["schemas"]["NamespaceName"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["GetDocuments"];
            };
        };
        responses: {
            /** @description All documents were found. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status": "success",
                     *       "message": "1 of 1 items found",
                     *       "namespace_name": "my-documents",
                     *       "requested_ids": 1,
                     *       "found_items": 1,
                     *       "items": [
                     *         {
                     *           "id": "refunds",
                     *           "text": "Return anything within 30 days. Your card is credited within five business days.",
                     *           "metadata": {
                     *             "topic": "sales"
                     *           }
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["DocumentsFound"];
                };
            };
            /** @description Some or all documents were not found. */
            207: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DocumentsPartlyFound"];
                };
            };
            /** @description The body or its `ids` are not usable. */
            400: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description The API key is missing, unknown, disabled, revoked or expired. */
            401: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description The API key is not activated or lacks the scope. */
            403: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description The namespace does not exist or is not yours. */
            404: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description The body is larger than 10 MB. */
            413: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description The plan's request limit is reached (`current_usage`, `limit`), or the subscription has expired, or too many or too large requests are under way (without them). */
            429: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["LimitFailure"];
                };
            };
            /** @description Internal server error; the message names the failing operation. */
            500: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description A part of the service is not available; try again after `Retry-After`. */
            503: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
        };
    };
    fetchTextData: {
        parameters: {
            query?: {
                /** @description Items of a page. */
                limit?: number;
                /** @description `pagination.next_token` of the previous page; bound to the account and the namespace. */
                next_token?: string;
                /** @description With `head` items come without `text` and `metadata`. */
                fields?: "head";
            };
            header?: never;
            path: {
                namespace_name: components["schemas"]["NamespaceName"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One page; with `fields=head`, its items without `text` and `metadata`. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status": "success",
                     *       "message": "2 items",
                     *       "namespace": "my-documents",
                     *       "statistics": {
                     *         "total_items": 2,
                     *         "total_text_chunks": 2,
                     *         "total_summary_chunks": 0,
                     *         "created_at_min": "2026-03-01T12:00:00.000Z",
                     *         "created_at_max": "2026-03-01T12:00:00.000Z",
                     *         "source_counts": {
                     *           "api": 2
                     *         }
                     *       },
                     *       "items": [
                     *         {
                     *           "id": "leave",
                     *           "version": "upload_01m8ddd4a18ayjbeda124fg79q",
                     *           "created_at": "2026-03-01T12:00:00.000Z",
                     *           "is_summary": false,
                     *           "text": "New parents get 16 weeks of paid leave.",
                     *           "metadata": {}
                     *         },
                     *         {
                     *           "id": "refunds",
                     *           "version": "upload_01m8ddd4a18ayjbeda124fg79q",
                     *           "created_at": "2026-03-01T12:00:00.000Z",
                     *           "is_summary": false,
                     *           "text": "Return anything within 30 days. Your card is credited within five business days.",
                     *           "metadata": {}
                     *         }
                     *       ],
                     *       "pagination": {
                     *         "limit": 100,
                     *         "has_more": false,
                     *         "next_token": null
                     *       },
                     *       "execution_time": 0.001
                     *     }
                     */
                    "application/json": components["schemas"]["TextDataPage"] | components["schemas"]["TextDataHeads"];
                };
            };
            /** @description `limit`, `next_token` or `fields` is not usable, the namespace is not text-based, or it is missing in the path. */
            400: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description The API key is missing, unknown, disabled, revoked or expired. */
            401: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description The API key is not activated or lacks the scope. */
            403: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description The namespace does not exist or is not yours. */
            404: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description The plan's request limit is reached (`current_usage`, `limit`), or the subscription has expired, or too many or too large requests are under way (without them). */
            429: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["LimitFailure"];
                };
            };
            /** @description Internal server error; the message names the failing operation. */
            500: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description A part of the service is not available; try again after `Retry-After`. */
            503: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
        };
    };
    filterTextData: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                namespace_name: components["schemas"]["NamespaceName"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["FilterTextData"];
            };
        };
        responses: {
            /** @description One page; with `"fields": "head"`, its items without `text` and `metadata`. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status": "success",
                     *       "message": "2 items",
                     *       "namespace": "my-documents",
                     *       "statistics": {
                     *         "total_items": 2,
                     *         "total_text_chunks": 2,
                     *         "total_summary_chunks": 0,
                     *         "created_at_min": "2026-03-01T12:00:00.000Z",
                     *         "created_at_max": "2026-03-01T12:00:00.000Z",
                     *         "source_counts": {
                     *           "api": 2
                     *         }
                     *       },
                     *       "items": [
                     *         {
                     *           "id": "leave",
                     *           "version": "upload_01m8ddd4a18ayjbeda124fg79q",
                     *           "created_at": "2026-03-01T12:00:00.000Z",
                     *           "is_summary": false,
                     *           "text": "New parents get 16 weeks of paid leave.",
                     *           "metadata": {}
                     *         },
                     *         {
                     *           "id": "refunds",
                     *           "version": "upload_01m8ddd4a18ayjbeda124fg79q",
                     *           "created_at": "2026-03-01T12:00:00.000Z",
                     *           "is_summary": false,
                     *           "text": "Return anything within 30 days. Your card is credited within five business days.",
                     *           "metadata": {}
                     *         }
                     *       ],
                     *       "pagination": {
                     *         "limit": 100,
                     *         "has_more": false,
                     *         "next_token": null
                     *       },
                     *       "execution_time": 0.001
                     *     }
                     */
                    "application/json": components["schemas"]["TextDataPage"] | components["schemas"]["TextDataHeads"];
                };
            };
            /** @description A field is not usable, or the namespace is not text-based. */
            400: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description The API key is missing, unknown, disabled, revoked or expired. */
            401: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description The API key is not activated or lacks the scope. */
            403: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description The namespace does not exist or is not yours. */
            404: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description The body is larger than 10 MB. */
            413: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description The filter compares too many values. */
            422: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description The plan's request limit is reached (`current_usage`, `limit`), or the subscription has expired, or too many or too large requests are under way (without them). */
            429: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["LimitFailure"];
                };
            };
            /** @description Internal server error; the message names the failing operation. */
            500: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description A part of the service is not available; try again after `Retry-After`. */
            503: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
        };
    };
    deleteDocuments: {
        parameters: {
            query?: never;
            header?: {
                /** @description A value of your own, such as a UUID, that makes the request safe to repeat: for 24 hours the same request with the same key gets the same response, and nothing is done twice. */
                "Idempotency-Key"?: string;
            };
            path: {
                namespace_name: components["schemas"]["NamespaceName"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["DeleteItems"];
            };
        };
        responses: {
            /** @description No deletion failed. Missing ids are not failures. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ItemsDeleted"];
                };
            };
            /** @description Some deletions failed; retry their ids. */
            207: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ItemsPartlyDeleted"];
                };
            };
            /** @description The body, its `ids` or its `filter` are not usable. The `Idempotency-Key` is not usable. */
            400: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description The API key is missing, unknown, disabled, revoked or expired. */
            401: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description The API key is not activated or lacks the scope. */
            403: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description The namespace does not exist or is not yours. */
            404: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description A request with this `Idempotency-Key` is in progress. */
            409: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description The body is larger than 10 MB. */
            413: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description None of the items that could be read in time passes the filter, or the filter compares too many values. The `Idempotency-Key` was sent with another request. */
            422: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description The plan's request limit is reached (`current_usage`, `limit`), or the subscription has expired, or too many or too large requests are under way (without them). */
            429: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["LimitFailure"];
                };
            };
            /** @description Internal server error; the message names the failing operation. */
            500: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description A part of the service is not available; try again after `Retry-After`. */
            503: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
        };
    };
    uploadVectors: {
        parameters: {
            query?: never;
            header?: {
                /** @description A value of your own, such as a UUID, that makes the request safe to repeat: for 24 hours the same request with the same key gets the same response, and nothing is done twice. */
                "Idempotency-Key"?: string;
            };
            path: {
                namespace_name: components["schemas"]["NamespaceName"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["UploadVectors"];
            };
        };
        responses: {
            /** @description All vectors are stored. */
            201: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["VectorsStored"];
                };
            };
            /** @description Some vectors were rejected; the rest are stored. */
            207: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["VectorsPartlyStored"];
                };
            };
            /** @description `vectors` is missing, empty or too long, one has no usable id, or no vector is valid (`details`). The `Idempotency-Key` is not usable. */
            400: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description The API key is missing, unknown, disabled, revoked or expired. */
            401: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description The API key is not activated or lacks the scope, or the tier's vector limit would be passed (`details`). */
            403: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description The vector namespace does not exist or is not yours. */
            404: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description A request with this `Idempotency-Key` is in progress. */
            409: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description The body is larger than 10 MB. */
            413: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description The `Idempotency-Key` was sent with another request. */
            422: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description The plan's request limit is reached (`current_usage`, `limit`), or the subscription has expired, or too many or too large requests are under way (without them). */
            429: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["LimitFailure"];
                };
            };
            /** @description Internal server error; the message names the failing operation. */
            500: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description A part of the service is not available; try again after `Retry-After`. */
            503: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
        };
    };
    deleteVectors: {
        parameters: {
            query?: never;
            header?: {
                /** @description A value of your own, such as a UUID, that makes the request safe to repeat: for 24 hours the same request with the same key gets the same response, and nothing is done twice. */
                "Idempotency-Key"?: string;
            };
            path: {
                namespace_name: components["schemas"]["NamespaceName"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["DeleteItems"];
            };
        };
        responses: {
            /** @description No deletion failed. Missing ids are not failures. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ItemsDeleted"];
                };
            };
            /** @description Some deletions failed; retry their ids. */
            207: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ItemsPartlyDeleted"];
                };
            };
            /** @description The body, its `ids` or its `filter` are not usable. The `Idempotency-Key` is not usable. */
            400: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description The API key is missing, unknown, disabled, revoked or expired. */
            401: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description The API key is not activated or lacks the scope. */
            403: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description The namespace does not exist or is not yours. */
            404: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description A request with this `Idempotency-Key` is in progress. */
            409: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description The body is larger than 10 MB. */
            413: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description None of the items that could be read in time passes the filter, or the filter compares too many values. The `Idempotency-Key` was sent with another request. */
            422: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description The plan's request limit is reached (`current_usage`, `limit`), or the subscription has expired, or too many or too large requests are under way (without them). */
            429: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["LimitFailure"];
                };
            };
            /** @description Internal server error; the message names the failing operation. */
            500: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description A part of the service is not available; try again after `Retry-After`. */
            503: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
        };
    };
    createUploadUrl: {
        parameters: {
            query?: never;
            header?: {
                /** @description A value of your own, such as a UUID, that makes the request safe to repeat: for 24 hours the same request with the same key gets the same response, and nothing is done twice. */
                "Idempotency-Key"?: string;
            };
            path: {
                namespace_name: components["schemas"]["NamespaceName"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateUploadUrl"];
            };
        };
        responses: {
            /** @description The upload URL. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UploadUrl"];
                };
            };
            /** @description `file_name` is missing or not usable, or its type is not supported; the message lists the types that are. The `Idempotency-Key` is not usable. */
            400: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FileFailure"];
                };
            };
            /** @description The API key is missing, unknown, disabled, revoked or expired. */
            401: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FileFailure"];
                };
            };
            /** @description The API key is not activated or lacks the scope, or the plan's limit of stored bytes or of open uploads is reached; `error` says which. */
            403: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FileFailure"];
                };
            };
            /** @description The text namespace does not exist or is not yours. */
            404: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FileFailure"];
                };
            };
            /** @description The name is a folder of another file, or a folder in the name is another file. A request with this `Idempotency-Key` is in progress. */
            409: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FileFailure"];
                };
            };
            /** @description The body is larger than 10 MB. */
            413: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FileFailure"];
                };
            };
            /** @description The `Idempotency-Key` was sent with another request. */
            422: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FileFailure"];
                };
            };
            /** @description The plan's request limit is reached (`current_usage`, `limit`), or the subscription has expired, or too many or too large requests are under way (without them). */
            429: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FileFailure"];
                };
            };
            /** @description Internal server error; the message names the failing operation. */
            500: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FileFailure"];
                };
            };
            /** @description A part of the service is not available; try again after `Retry-After`. */
            503: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FileFailure"];
                };
            };
        };
    };
    uploadFile: {
        parameters: {
            query?: never;
            header?: {
                /** @description A value of your own, such as a UUID, that makes the request safe to repeat: for 24 hours the same request with the same key gets the same response, and nothing is done twice. */
                "Idempotency-Key"?: string;
            };
            path: {
                namespace_name: components["schemas"]["NamespaceName"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "multipart/form-data": components["schemas"]["UploadForm"];
            };
        };
        responses: {
            /** @description The file is stored and queued for processing. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FileUploaded"];
                };
            };
            /** @description The form is malformed, or does not have exactly one file in its field `file`, or its file name is not usable. The `Idempotency-Key` is not usable. */
            400: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FileFailure"];
                };
            };
            /** @description The API key is missing, unknown, disabled, revoked or expired. */
            401: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FileFailure"];
                };
            };
            /** @description The API key is not activated or lacks the scope, or the plan's limit of stored bytes or of open uploads is reached; `error` says which. */
            403: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FileFailure"];
                };
            };
            /** @description The text namespace does not exist or is not yours. */
            404: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FileFailure"];
                };
            };
            /** @description The name is a folder of another file, or a folder in the name is another file. A request with this `Idempotency-Key` is in progress. */
            409: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FileFailure"];
                };
            };
            /** @description The file is larger than 10 MB. */
            413: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FileFailure"];
                };
            };
            /** @description The `Idempotency-Key` was sent with another request. */
            422: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FileFailure"];
                };
            };
            /** @description The plan's request limit is reached (`current_usage`, `limit`), or the subscription has expired, or too many or too large requests are under way (without them). */
            429: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FileFailure"];
                };
            };
            /** @description Internal server error; the message names the failing operation. */
            500: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FileFailure"];
                };
            };
            /** @description A part of the service is not available; try again after `Retry-After`. */
            503: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FileFailure"];
                };
            };
        };
    };
    listFiles: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                namespace_name: components["schemas"]["NamespaceName"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The stored files. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FileList"];
                };
            };
            /** @description The namespace is missing in the path. */
            400: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FileFailure"];
                };
            };
            /** @description The API key is missing, unknown, disabled, revoked or expired. */
            401: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FileFailure"];
                };
            };
            /** @description The API key is not activated or lacks the scope. */
            403: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FileFailure"];
                };
            };
            /** @description The namespace does not exist or is not yours. */
            404: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FileFailure"];
                };
            };
            /** @description The plan's request limit is reached (`current_usage`, `limit`), or the subscription has expired, or too many or too large requests are under way (without them). */
            429: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FileFailure"];
                };
            };
            /** @description Internal server error; the message names the failing operation. */
            500: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FileFailure"];
                };
            };
            /** @description A part of the service is not available; try again after `Retry-After`. */
            503: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FileFailure"];
                };
            };
        };
    };
    deleteFiles: {
        parameters: {
            query?: {
                /** @description May be repeated. */
                file_name?: string[];
            };
            header?: {
                /** @description A value of your own, such as a UUID, that makes the request safe to repeat: for 24 hours the same request with the same key gets the same response, and nothing is done twice. */
                "Idempotency-Key"?: string;
            };
            path: {
                namespace_name: components["schemas"]["NamespaceName"];
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["DeleteFiles"];
            };
        };
        responses: {
            /** @description The outcome of each file; a missing file is an `error` and does not affect the others. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FilesDeleted"];
                };
            };
            /** @description No file name was given, more than 1000 were, or the namespace is missing in the path. The `Idempotency-Key` is not usable. */
            400: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FileFailure"];
                };
            };
            /** @description The API key is missing, unknown, disabled, revoked or expired. */
            401: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FileFailure"];
                };
            };
            /** @description The API key is not activated or lacks the scope. */
            403: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FileFailure"];
                };
            };
            /** @description The namespace does not exist or is not yours. */
            404: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FileFailure"];
                };
            };
            /** @description A request with this `Idempotency-Key` is in progress. */
            409: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FileFailure"];
                };
            };
            /** @description The body is larger than 10 MB. */
            413: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FileFailure"];
                };
            };
            /** @description The `Idempotency-Key` was sent with another request. */
            422: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FileFailure"];
                };
            };
            /** @description The plan's request limit is reached (`current_usage`, `limit`), or the subscription has expired, or too many or too large requests are under way (without them). */
            429: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FileFailure"];
                };
            };
            /** @description Internal server error; the message names the failing operation. */
            500: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FileFailure"];
                };
            };
            /** @description A part of the service is not available; try again after `Retry-After`. */
            503: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FileFailure"];
                };
            };
        };
    };
    getFileStatus: {
        parameters: {
            query?: {
                /** @description Seconds to wait for the end of the work: the response comes as soon as it is finished, at the latest after this time. */
                wait?: number;
            };
            header?: never;
            path: {
                namespace_name: components["schemas"]["NamespaceName"];
                /** @description The whole name in one segment: a slash in it is sent as `%2F`. */
                file_name: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The state. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "file_name": "reports/2026/summary.pdf",
                     *       "namespace": "my-documents",
                     *       "state": "completed",
                     *       "stage": "done",
                     *       "progress": {
                     *         "page": 12,
                     *         "pages": 12,
                     *         "chunks": 42,
                     *         "summaries": 1
                     *       },
                     *       "attempts": 1,
                     *       "reason": null,
                     *       "message": null,
                     *       "remedy": null,
                     *       "retryable": false,
                     *       "notes": [
                     *         {
                     *           "code": "read_by_ocr",
                     *           "message": "Page 7 was read by OCR, confidence 91 of 100.",
                     *           "place": {
                     *             "page": 7
                     *           }
                     *         }
                     *       ],
                     *       "options": {},
                     *       "metadata": {
                     *         "department": "sales",
                     *         "year": 2026
                     *       },
                     *       "size": 183264,
                     *       "etag": "5eb63bbbe01eeed093cb22bb8f5acdc3",
                     *       "published_etag": "5eb63bbbe01eeed093cb22bb8f5acdc3",
                     *       "last_modified": "2026-03-01T12:00:00.000Z",
                     *       "chunks": 42,
                     *       "chunk_id_prefix": "reports/2026/summary.pdf_chunk_",
                     *       "summaries": 1,
                     *       "passages": {
                     *         "reused": 0,
                     *         "embedded": 43
                     *       },
                     *       "previous_version_searchable": false,
                     *       "extraction_version": 1,
                     *       "outdated": false,
                     *       "bytes_removed_at": null,
                     *       "unchanged_at": null,
                     *       "upload_expires_at": null,
                     *       "created_at": "2026-03-01T12:00:00.000Z",
                     *       "updated_at": "2026-03-01T12:00:09.000Z",
                     *       "finished_at": "2026-03-01T12:00:09.000Z",
                     *       "estimated_completion": null,
                     *       "next_attempt_at": null,
                     *       "timings": {
                     *         "fetching": 0.1,
                     *         "reading": 6.2,
                     *         "indexing": 2.4,
                     *         "publishing": 0.1
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["FileStatus"];
                };
            };
            /** @description The namespace or the file is missing in the path, or `wait` is not usable. */
            400: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FileFailure"];
                };
            };
            /** @description The API key is missing, unknown, disabled, revoked or expired. */
            401: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FileFailure"];
                };
            };
            /** @description The API key is not activated or lacks the scope. */
            403: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FileFailure"];
                };
            };
            /** @description The namespace is not yours, or there is no such file. */
            404: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FileFailure"];
                };
            };
            /** @description The plan's request limit is reached (`current_usage`, `limit`), or the subscription has expired, or too many or too large requests are under way (without them). */
            429: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FileFailure"];
                };
            };
            /** @description Internal server error; the message names the failing operation. */
            500: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FileFailure"];
                };
            };
            /** @description A part of the service is not available; try again after `Retry-After`. */
            503: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FileFailure"];
                };
            };
        };
    };
    pageFiles: {
        parameters: {
            query?: {
                /** @description Only files whose names begin with this text. */
                prefix?: string;
                /** @description Files of a page. */
                limit?: number;
                /** @description `pagination.next_token` of the previous page; bound to the account and the namespace. */
                next_token?: string;
            };
            header?: never;
            path: {
                namespace_name: components["schemas"]["NamespaceName"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One page. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "namespace_name": "my-documents",
                     *       "files": [
                     *         {
                     *           "file_name": "reports/2026/summary.pdf",
                     *           "state": "completed",
                     *           "reason": null,
                     *           "size": 183264,
                     *           "etag": "5eb63bbbe01eeed093cb22bb8f5acdc3",
                     *           "published_etag": "5eb63bbbe01eeed093cb22bb8f5acdc3",
                     *           "last_modified": "2026-03-01T12:00:00.000Z",
                     *           "chunks": 42,
                     *           "notes": 1,
                     *           "metadata": {
                     *             "department": "sales",
                     *             "year": 2026
                     *           },
                     *           "created_at": "2026-03-01T12:00:00.000Z",
                     *           "updated_at": "2026-03-01T12:00:00.000Z"
                     *         }
                     *       ],
                     *       "pagination": {
                     *         "limit": 100,
                     *         "has_more": false,
                     *         "next_token": null
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["FilePage"];
                };
            };
            /** @description `prefix`, `limit` or `next_token` is not usable, or the namespace is missing in the path. */
            400: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FileFailure"];
                };
            };
            /** @description The API key is missing, unknown, disabled, revoked or expired. */
            401: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FileFailure"];
                };
            };
            /** @description The API key is not activated or lacks the scope. */
            403: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FileFailure"];
                };
            };
            /** @description The namespace does not exist or is not yours. */
            404: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FileFailure"];
                };
            };
            /** @description The plan's request limit is reached (`current_usage`, `limit`), or the subscription has expired, or too many or too large requests are under way (without them). */
            429: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FileFailure"];
                };
            };
            /** @description Internal server error; the message names the failing operation. */
            500: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FileFailure"];
                };
            };
            /** @description A part of the service is not available; try again after `Retry-After`. */
            503: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FileFailure"];
                };
            };
        };
    };
    getFileContent: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                namespace_name: components["schemas"]["NamespaceName"];
                /** @description The whole name in one segment: a slash in it is sent as `%2F`. */
                file_name: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The whole file. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/octet-stream": string;
                };
            };
            /** @description The range of the file. */
            206: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/octet-stream": string;
                };
            };
            /** @description The file still has the `ETag` of `If-None-Match`. */
            304: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The namespace or the file is missing in the path. */
            400: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FileFailure"];
                };
            };
            /** @description The API key is missing, unknown, disabled, revoked or expired. */
            401: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FileFailure"];
                };
            };
            /** @description The API key is not activated or lacks the scope. */
            403: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FileFailure"];
                };
            };
            /** @description There is no such file, or its bytes were removed. */
            404: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FileFailure"];
                };
            };
            /** @description The file has another `ETag` than that of `If-Match`. */
            412: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FileFailure"];
                };
            };
            /** @description The range begins after the end of the file. */
            416: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FileFailure"];
                };
            };
            /** @description The plan's request limit is reached (`current_usage`, `limit`), or the subscription has expired, or too many or too large requests are under way (without them). */
            429: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FileFailure"];
                };
            };
            /** @description Internal server error; the message names the failing operation. */
            500: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FileFailure"];
                };
            };
            /** @description A part of the service is not available; try again after `Retry-After`. */
            503: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FileFailure"];
                };
            };
        };
    };
    createDownloadUrl: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                namespace_name: components["schemas"]["NamespaceName"];
                /** @description The whole name in one segment: a slash in it is sent as `%2F`. */
                file_name: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The URL. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "file_name": "reports/2026/summary.pdf",
                     *       "download_url": "https://cairn.example.org/v1/downloads/qkYp3vB1uQ",
                     *       "expires_in": 900,
                     *       "expires_at": "2026-03-01T12:15:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["DownloadUrl"];
                };
            };
            /** @description The namespace or the file is missing in the path. */
            400: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FileFailure"];
                };
            };
            /** @description The API key is missing, unknown, disabled, revoked or expired. */
            401: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FileFailure"];
                };
            };
            /** @description The API key is not activated or lacks the scope. */
            403: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FileFailure"];
                };
            };
            /** @description There is no such file, or its bytes were removed. */
            404: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FileFailure"];
                };
            };
            /** @description The plan's request limit is reached (`current_usage`, `limit`), or the subscription has expired, or too many or too large requests are under way (without them). */
            429: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FileFailure"];
                };
            };
            /** @description Internal server error; the message names the failing operation. */
            500: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FileFailure"];
                };
            };
            /** @description A part of the service is not available; try again after `Retry-After`. */
            503: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FileFailure"];
                };
            };
        };
    };
    updateFile: {
        parameters: {
            query?: never;
            header?: {
                /** @description A value of your own, such as a UUID, that makes the request safe to repeat: for 24 hours the same request with the same key gets the same response, and nothing is done twice. */
                "Idempotency-Key"?: string;
            };
            path: {
                namespace_name: components["schemas"]["NamespaceName"];
                /** @description The whole name in one segment: a slash in it is sent as `%2F`. */
                file_name: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["UpdateFile"];
            };
        };
        responses: {
            /** @description The file has this metadata already. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FileStatus"];
                };
            };
            /** @description The file is queued. */
            202: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "file_name": "reports/2026/summary.pdf",
                     *       "namespace": "my-documents",
                     *       "state": "queued",
                     *       "stage": "waiting",
                     *       "progress": {},
                     *       "attempts": 1,
                     *       "reason": null,
                     *       "message": null,
                     *       "remedy": null,
                     *       "retryable": false,
                     *       "notes": [
                     *         {
                     *           "code": "read_by_ocr",
                     *           "message": "Page 7 was read by OCR, confidence 91 of 100.",
                     *           "place": {
                     *             "page": 7
                     *           }
                     *         }
                     *       ],
                     *       "options": {},
                     *       "metadata": {
                     *         "department": "sales",
                     *         "year": 2026
                     *       },
                     *       "size": 183264,
                     *       "etag": "5eb63bbbe01eeed093cb22bb8f5acdc3",
                     *       "published_etag": "5eb63bbbe01eeed093cb22bb8f5acdc3",
                     *       "last_modified": "2026-03-01T12:00:00.000Z",
                     *       "chunks": 42,
                     *       "chunk_id_prefix": "reports/2026/summary.pdf_chunk_",
                     *       "summaries": 1,
                     *       "passages": null,
                     *       "previous_version_searchable": true,
                     *       "extraction_version": 1,
                     *       "outdated": false,
                     *       "bytes_removed_at": null,
                     *       "unchanged_at": null,
                     *       "upload_expires_at": null,
                     *       "created_at": "2026-03-01T12:00:00.000Z",
                     *       "updated_at": "2026-03-01T12:00:09.000Z",
                     *       "finished_at": null,
                     *       "estimated_completion": null,
                     *       "next_attempt_at": null,
                     *       "timings": {}
                     *     }
                     */
                    "application/json": components["schemas"]["FileStatus"];
                };
            };
            /** @description `metadata` is missing or not usable, or the namespace or the file is missing in the path. The `Idempotency-Key` is not usable. */
            400: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FileFailure"];
                };
            };
            /** @description The API key is missing, unknown, disabled, revoked or expired. */
            401: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FileFailure"];
                };
            };
            /** @description The API key is not activated or lacks the scope. */
            403: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FileFailure"];
                };
            };
            /** @description The namespace is not yours, or there is no such file. */
            404: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FileFailure"];
                };
            };
            /** @description The bytes of the failed file were removed. A request with this `Idempotency-Key` is in progress. */
            409: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FileFailure"];
                };
            };
            /** @description The body is larger than 10 MB. */
            413: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FileFailure"];
                };
            };
            /** @description The `Idempotency-Key` was sent with another request. */
            422: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FileFailure"];
                };
            };
            /** @description The plan's request limit is reached (`current_usage`, `limit`), or the subscription has expired, or too many or too large requests are under way (without them). */
            429: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FileFailure"];
                };
            };
            /** @description Internal server error; the message names the failing operation. */
            500: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FileFailure"];
                };
            };
            /** @description A part of the service is not available; try again after `Retry-After`. */
            503: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FileFailure"];
                };
            };
        };
    };
    retryFile: {
        parameters: {
            query?: never;
            header?: {
                /** @description A value of your own, such as a UUID, that makes the request safe to repeat: for 24 hours the same request with the same key gets the same response, and nothing is done twice. */
                "Idempotency-Key"?: string;
            };
            path: {
                namespace_name: components["schemas"]["NamespaceName"];
                /** @description The whole name in one segment: a slash in it is sent as `%2F`. */
                file_name: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["RetryFile"];
            };
        };
        responses: {
            /** @description The file is queued. */
            202: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FileStatus"];
                };
            };
            /** @description An option is not usable, or the namespace or the file is missing in the path. The `Idempotency-Key` is not usable. */
            400: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FileFailure"];
                };
            };
            /** @description The API key is missing, unknown, disabled, revoked or expired. */
            401: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FileFailure"];
                };
            };
            /** @description The API key is not activated or lacks the scope. */
            403: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FileFailure"];
                };
            };
            /** @description The namespace is not yours, or there is no such file. */
            404: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FileFailure"];
                };
            };
            /** @description The file is being processed, or the bytes of the failed file were removed. A request with this `Idempotency-Key` is in progress. */
            409: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FileFailure"];
                };
            };
            /** @description The body is larger than 10 MB. */
            413: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FileFailure"];
                };
            };
            /** @description The `Idempotency-Key` was sent with another request. */
            422: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FileFailure"];
                };
            };
            /** @description The plan's request limit is reached (`current_usage`, `limit`), or the subscription has expired, or too many or too large requests are under way (without them). */
            429: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FileFailure"];
                };
            };
            /** @description Internal server error; the message names the failing operation. */
            500: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FileFailure"];
                };
            };
            /** @description A part of the service is not available; try again after `Retry-After`. */
            503: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FileFailure"];
                };
            };
        };
    };
    startMultipartUpload: {
        parameters: {
            query?: never;
            header?: {
                /** @description A value of your own, such as a UUID, that makes the request safe to repeat: for 24 hours the same request with the same key gets the same response, and nothing is done twice. */
                "Idempotency-Key"?: string;
            };
            path: {
                namespace_name: components["schemas"]["NamespaceName"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["StartMultipart"];
            };
        };
        responses: {
            /** @description URLs of the parts. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MultipartUpload"];
                };
            };
            /** @description `file_name` or another field is missing or not usable, or the type of the file is not supported. The `Idempotency-Key` is not usable. */
            400: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FileFailure"];
                };
            };
            /** @description The API key is missing, unknown, disabled, revoked or expired. */
            401: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FileFailure"];
                };
            };
            /** @description The API key is not activated or lacks the scope, or the plan's limit of stored bytes or of open uploads is reached; `error` says which. */
            403: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FileFailure"];
                };
            };
            /** @description The text namespace does not exist or is not yours. Or `upload_id` is not that of an upload of this file. */
            404: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FileFailure"];
                };
            };
            /** @description The name is a folder of another file, or a folder in the name is another file. A request with this `Idempotency-Key` is in progress. */
            409: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FileFailure"];
                };
            };
            /** @description The body is larger than 10 MB. */
            413: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FileFailure"];
                };
            };
            /** @description The `Idempotency-Key` was sent with another request. */
            422: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FileFailure"];
                };
            };
            /** @description The plan's request limit is reached (`current_usage`, `limit`), or the subscription has expired, or too many or too large requests are under way (without them). */
            429: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FileFailure"];
                };
            };
            /** @description Internal server error; the message names the failing operation. */
            500: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FileFailure"];
                };
            };
            /** @description A part of the service is not available; try again after `Retry-After`. */
            503: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FileFailure"];
                };
            };
        };
    };
    completeMultipartUpload: {
        parameters: {
            query?: never;
            header?: {
                /** @description A value of your own, such as a UUID, that makes the request safe to repeat: for 24 hours the same request with the same key gets the same response, and nothing is done twice. */
                "Idempotency-Key"?: string;
            };
            path: {
                namespace_name: components["schemas"]["NamespaceName"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CompleteMultipart"];
            };
        };
        responses: {
            /** @description The file is stored and queued for processing. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MultipartCompleted"];
                };
            };
            /** @description A part is missing, has another etag, or is too small; or a field is not usable. The `Idempotency-Key` is not usable. */
            400: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FileFailure"];
                };
            };
            /** @description The API key is missing, unknown, disabled, revoked or expired. */
            401: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FileFailure"];
                };
            };
            /** @description The API key is not activated or lacks the scope, or the plan's limit of stored bytes or of open uploads is reached; `error` says which. */
            403: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FileFailure"];
                };
            };
            /** @description The namespace is not yours, or there is no such upload of this file. */
            404: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FileFailure"];
                };
            };
            /** @description A request with this `Idempotency-Key` is in progress. */
            409: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FileFailure"];
                };
            };
            /** @description The file is larger than 5 GB, or the body than 10 MB. */
            413: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FileFailure"];
                };
            };
            /** @description The `Idempotency-Key` was sent with another request. */
            422: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FileFailure"];
                };
            };
            /** @description The plan's request limit is reached (`current_usage`, `limit`), or the subscription has expired, or too many or too large requests are under way (without them). */
            429: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FileFailure"];
                };
            };
            /** @description Internal server error; the message names the failing operation. */
            500: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FileFailure"];
                };
            };
            /** @description A part of the service is not available; try again after `Retry-After`. */
            503: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FileFailure"];
                };
            };
        };
    };
    abortMultipartUpload: {
        parameters: {
            query?: never;
            header?: {
                /** @description A value of your own, such as a UUID, that makes the request safe to repeat: for 24 hours the same request with the same key gets the same response, and nothing is done twice. */
                "Idempotency-Key"?: string;
            };
            path: {
                namespace_name: components["schemas"]["NamespaceName"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AbortMultipart"];
            };
        };
        responses: {
            /** @description The upload is aborted. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MultipartAborted"];
                };
            };
            /** @description A field is missing or not usable. The `Idempotency-Key` is not usable. */
            400: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FileFailure"];
                };
            };
            /** @description The API key is missing, unknown, disabled, revoked or expired. */
            401: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FileFailure"];
                };
            };
            /** @description The API key is not activated or lacks the scope. */
            403: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FileFailure"];
                };
            };
            /** @description The namespace is not yours, or there is no such upload of this file. */
            404: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FileFailure"];
                };
            };
            /** @description A request with this `Idempotency-Key` is in progress. */
            409: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FileFailure"];
                };
            };
            /** @description The body is larger than 10 MB. */
            413: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FileFailure"];
                };
            };
            /** @description The `Idempotency-Key` was sent with another request. */
            422: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FileFailure"];
                };
            };
            /** @description The plan's request limit is reached (`current_usage`, `limit`), or the subscription has expired, or too many or too large requests are under way (without them). */
            429: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FileFailure"];
                };
            };
            /** @description Internal server error; the message names the failing operation. */
            500: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FileFailure"];
                };
            };
            /** @description A part of the service is not available; try again after `Retry-After`. */
            503: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FileFailure"];
                };
            };
        };
    };
    getSignedContent: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                token: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The whole file. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/octet-stream": string;
                };
            };
            /** @description The range of the file. */
            206: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/octet-stream": string;
                };
            };
            /** @description The file still has the `ETag` of `If-None-Match`. */
            304: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The URL is not a signed one, or it has expired. */
            403: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FileFailure"];
                };
            };
            /** @description There is no such file, or its bytes were removed. */
            404: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FileFailure"];
                };
            };
            /** @description The file has another `ETag` than that of `If-Match`. */
            412: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FileFailure"];
                };
            };
            /** @description The range begins after the end of the file. */
            416: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FileFailure"];
                };
            };
            /** @description Internal server error; the message names the failing operation. */
            500: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FileFailure"];
                };
            };
            /** @description A part of the service is not available; try again after `Retry-After`. */
            503: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FileFailure"];
                };
            };
        };
    };
    search: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["Search"];
            };
        };
        responses: {
            /** @description The hits; an empty array if there are none. The header `X-Cairn-Warnings` has the `warnings` of the body, as many as fit into 1,000 characters. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "results": [
                     *         {
                     *           "id": "refunds",
                     *           "score": 0.543767,
                     *           "label": "High Relevance",
                     *           "text": "Return anything within 30 days. Your card is credited within five business days.",
                     *           "metadata": {
                     *             "topic": "sales"
                     *           },
                     *           "namespace": "my-documents"
                     *         },
                     *         {
                     *           "id": "leave",
                     *           "score": 0.506874,
                     *           "label": "High Relevance",
                     *           "text": "New parents get 16 weeks of paid leave.",
                     *           "metadata": {
                     *             "topic": "people"
                     *           },
                     *           "namespace": "my-documents"
                     *         }
                     *       ],
                     *       "execution_time": 0.011,
                     *       "timings": {
                     *         "parse_validate": 0.001,
                     *         "validate_namespace": 0.001,
                     *         "prepare_vector": 0.003,
                     *         "fetch_data": 0.005,
                     *         "format_response": 0.001,
                     *         "total": 0.011
                     *       },
                     *       "optimization_info": {
                     *         "fetch_strategy": "single_phase_with_early_filtering",
                     *         "initial_fetch": "complete_data_with_early_filtering",
                     *         "complete_fetch": "no_additional_fetch_needed",
                     *         "points_read": 2
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["Hits"];
                };
            };
            /** @description A field is not usable, the namespaces are of different types, or the query does not fit them. */
            400: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description The API key is missing, unknown, disabled, revoked or expired. */
            401: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description The API key is not activated or lacks the scope. */
            403: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description One of the namespaces does not exist or is not yours; the message names it. */
            404: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description The embedding model of a namespace is not available here; the message says what to do. */
            409: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description The body is larger than 10 MB. */
            413: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description The filter compares too many values or matches too much, or the index cannot answer it alone and too much would have to be read. */
            422: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description The plan's request limit is reached (`current_usage`, `limit`), or the subscription has expired, or too many or too large requests are under way (without them). */
            429: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["LimitFailure"];
                };
            };
            /** @description Internal server error; the message names the failing operation. */
            500: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description A part of the service is not available; try again after `Retry-After`. */
            503: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
        };
    };
    answer: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["Answer"];
            };
        };
        responses: {
            /** @description The answer. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "answer": "Your card is credited within five business days.",
                     *       "model": "extractive",
                     *       "context_count": 1,
                     *       "sources": [
                     *         {
                     *           "id": "refunds",
                     *           "score": 0.543767,
                     *           "label": "High Relevance",
                     *           "text": "Return anything within 30 days. Your card is credited within five business days.",
                     *           "metadata": {
                     *             "topic": "sales"
                     *           },
                     *           "namespace": "my-documents",
                     *           "passages": [
                     *             {
                     *               "start": 0,
                     *               "end": 80
                     *             }
                     *           ]
                     *         }
                     *       ],
                     *       "query": "when do I get my money back?",
                     *       "answered": true
                     *     }
                     */
                    "application/json": components["schemas"]["Answered"];
                    "text/event-stream": string;
                };
            };
            /** @description A field is not usable, a search field was sent with an empty `namespace` and a value other than its default, or no namespace is named and the account has too many. */
            400: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description The API key is missing, unknown, disabled, revoked or expired. */
            401: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description The API key is not activated or lacks the scope. */
            403: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description One of the namespaces does not exist or is not yours, or the account has no text namespace. */
            404: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description The embedding model of the namespace is not available here; or `structured_response` has its own schema and no answering model is configured. */
            409: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description The body is larger than 10 MB. */
            413: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description The filter compares too many values or matches too much, or the index cannot answer it alone and too much would have to be read. */
            422: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description The plan's request limit is reached (`current_usage`, `limit`), or the subscription has expired, or too many or too large requests are under way (without them). */
            429: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["LimitFailure"];
                };
            };
            /** @description Internal server error; the message names the failing operation. */
            500: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description A part of the service is not available; try again after `Retry-After`. With an empty `namespace` also: no answering model is configured. */
            503: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
        };
    };
    getUpload: {
        parameters: {
            query?: {
                /** @description Seconds to wait for the end of the work: the response comes as soon as it is finished, at the latest after this time. */
                wait?: number;
            };
            header?: never;
            path: {
                namespace_name: components["schemas"]["NamespaceName"];
                upload_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The upload. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Upload"];
                };
            };
            /** @description The namespace is missing in the path, or `wait` is not usable. */
            400: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description The API key is missing, unknown, disabled, revoked or expired. */
            401: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description The API key is not activated or lacks the scope. */
            403: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description The namespace or the upload does not exist or is not yours. */
            404: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description The plan's request limit is reached (`current_usage`, `limit`), or the subscription has expired, or too many or too large requests are under way (without them). */
            429: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["LimitFailure"];
                };
            };
            /** @description Internal server error; the message names the failing operation. */
            500: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description A part of the service is not available; try again after `Retry-After`. */
            503: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
        };
    };
    listUploads: {
        parameters: {
            query?: {
                /** @description Only uploads in this state. */
                state?: "accepting" | "queued" | "running" | "completed" | "failed";
                /** @description Uploads of a page. */
                limit?: number;
                /** @description `pagination.next_token` of the previous page; bound to the account and the namespace. */
                next_token?: string;
            };
            header?: never;
            path: {
                namespace_name: components["schemas"]["NamespaceName"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One page. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UploadList"];
                };
            };
            /** @description `state`, `limit` or `next_token` is not usable, or the namespace is missing in the path. */
            400: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description The API key is missing, unknown, disabled, revoked or expired. */
            401: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description The API key is not activated or lacks the scope. */
            403: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description The namespace does not exist or is not yours. */
            404: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description The plan's request limit is reached (`current_usage`, `limit`), or the subscription has expired, or too many or too large requests are under way (without them). */
            429: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["LimitFailure"];
                };
            };
            /** @description Internal server error; the message names the failing operation. */
            500: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description A part of the service is not available; try again after `Retry-After`. */
            503: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
        };
    };
    listUploadDocuments: {
        parameters: {
            query?: {
                /** @description Only documents in this state. */
                state?: "queued" | "running" | "completed" | "failed" | "superseded" | "deleted";
                /** @description Documents of a page. */
                limit?: number;
                /** @description `pagination.next_token` of the previous page; bound to the account and the upload. */
                next_token?: string;
            };
            header?: never;
            path: {
                namespace_name: components["schemas"]["NamespaceName"];
                upload_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One page. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UploadDocumentList"];
                };
            };
            /** @description `state`, `limit` or `next_token` is not usable, or the namespace or the upload is missing in the path. */
            400: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description The API key is missing, unknown, disabled, revoked or expired. */
            401: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description The API key is not activated or lacks the scope. */
            403: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description The namespace or the upload does not exist or is not yours. */
            404: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description The plan's request limit is reached (`current_usage`, `limit`), or the subscription has expired, or too many or too large requests are under way (without them). */
            429: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["LimitFailure"];
                };
            };
            /** @description Internal server error; the message names the failing operation. */
            500: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description A part of the service is not available; try again after `Retry-After`. */
            503: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
        };
    };
    retryFailed: {
        parameters: {
            query?: never;
            header?: {
                /** @description A value of your own, such as a UUID, that makes the request safe to repeat: for 24 hours the same request with the same key gets the same response, and nothing is done twice. */
                "Idempotency-Key"?: string;
            };
            path: {
                namespace_name: components["schemas"]["NamespaceName"];
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["RetryFailed"];
            };
        };
        responses: {
            /** @description Nothing was queued: nothing failed that may be retried, or `dry_run`. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Retried"];
                };
            };
            /** @description Queued. Documents have a new upload, files a new version. */
            202: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Retried"];
                };
            };
            /** @description A field is not usable, or the namespace is missing in the path. The `Idempotency-Key` is not usable. */
            400: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description The API key is missing, unknown, disabled, revoked or expired. */
            401: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description The API key is not activated or lacks the scope. */
            403: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description The namespace does not exist or is not yours. */
            404: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description A request with this `Idempotency-Key` is in progress. */
            409: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description The body is larger than 10 MB. */
            413: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description The `Idempotency-Key` was sent with another request. */
            422: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description The plan's request limit is reached (`current_usage`, `limit`), or the subscription has expired, or too many or too large requests are under way (without them). */
            429: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["LimitFailure"];
                };
            };
            /** @description Internal server error; the message names the failing operation. */
            500: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description A part of the service is not available; try again after `Retry-After`. */
            503: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
        };
    };
    retryUpload: {
        parameters: {
            query?: never;
            header?: {
                /** @description A value of your own, such as a UUID, that makes the request safe to repeat: for 24 hours the same request with the same key gets the same response, and nothing is done twice. */
                "Idempotency-Key"?: string;
            };
            path: {
                namespace_name: components["schemas"]["NamespaceName"];
                upload_id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["RetryUpload"];
            };
        };
        responses: {
            /** @description Nothing was queued: nothing failed that may be retried, or `dry_run`. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Retried"];
                };
            };
            /** @description Queued. Documents have a new upload, files a new version. */
            202: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Retried"];
                };
            };
            /** @description A field is not usable, or the namespace or the upload is missing in the path. The `Idempotency-Key` is not usable. */
            400: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description The API key is missing, unknown, disabled, revoked or expired. */
            401: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description The API key is not activated or lacks the scope. */
            403: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description The namespace or the upload does not exist or is not yours. */
            404: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description The upload is being processed. A request with this `Idempotency-Key` is in progress. */
            409: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description The body is larger than 10 MB. */
            413: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description The `Idempotency-Key` was sent with another request. */
            422: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description The plan's request limit is reached (`current_usage`, `limit`), or the subscription has expired, or too many or too large requests are under way (without them). */
            429: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["LimitFailure"];
                };
            };
            /** @description Internal server error; the message names the failing operation. */
            500: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description A part of the service is not available; try again after `Retry-After`. */
            503: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
        };
    };
    getDeletion: {
        parameters: {
            query?: {
                /** @description Seconds to wait for the end of the work: the response comes as soon as it is finished, at the latest after this time. */
                wait?: number;
            };
            header?: never;
            path: {
                deletion_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The deletion. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Deletion"];
                };
            };
            /** @description The deletion is missing in the path, or `wait` is not usable. */
            400: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description The API key is missing, unknown, disabled, revoked or expired. */
            401: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description The API key is not activated or lacks the scope. */
            403: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description The deletion does not exist or is not yours. */
            404: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description The plan's request limit is reached (`current_usage`, `limit`), or the subscription has expired, or too many or too large requests are under way (without them). */
            429: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["LimitFailure"];
                };
            };
            /** @description Internal server error; the message names the failing operation. */
            500: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description A part of the service is not available; try again after `Retry-After`. */
            503: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
        };
    };
    getReindex: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                namespace_name: components["schemas"]["NamespaceName"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The state. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Reindex"];
                };
            };
            /** @description The API key is missing, unknown, disabled, revoked or expired. */
            401: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description The API key is not activated or lacks the scope. */
            403: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description The namespace does not exist or is not yours, or it has no reindex. */
            404: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description The plan's request limit is reached (`current_usage`, `limit`), or the subscription has expired, or too many or too large requests are under way (without them). */
            429: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["LimitFailure"];
                };
            };
            /** @description Internal server error; the message names the failing operation. */
            500: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description A part of the service is not available; try again after `Retry-After`. */
            503: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
        };
    };
    startReindex: {
        parameters: {
            query?: never;
            header?: {
                /** @description A value of your own, such as a UUID, that makes the request safe to repeat: for 24 hours the same request with the same key gets the same response, and nothing is done twice. */
                "Idempotency-Key"?: string;
            };
            path: {
                namespace_name: components["schemas"]["NamespaceName"];
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["StartReindex"];
            };
        };
        responses: {
            /** @description With `dry_run`: the estimate. Nothing was changed. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ReindexEstimate"];
                };
            };
            /** @description The reindex has begun. */
            202: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Reindex"];
                };
            };
            /** @description The model is not offered, another field is not allowed, or it is a vector namespace. The `Idempotency-Key` is not usable. */
            400: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description The API key is missing, unknown, disabled, revoked or expired. */
            401: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description The API key is not activated or lacks the scope. */
            403: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description The namespace does not exist or is not yours. */
            404: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description The namespace has this model, or has a reindex; or the model can not be used now. A request with this `Idempotency-Key` is in progress. */
            409: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description The body is larger than 10 MB. */
            413: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description The `Idempotency-Key` was sent with another request. */
            422: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description The plan's request limit is reached (`current_usage`, `limit`), or the subscription has expired, or too many or too large requests are under way (without them). */
            429: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["LimitFailure"];
                };
            };
            /** @description Internal server error; the message names the failing operation. */
            500: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description A part of the service is not available; try again after `Retry-After`. */
            503: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
        };
    };
    endReindex: {
        parameters: {
            query?: never;
            header?: {
                /** @description A value of your own, such as a UUID, that makes the request safe to repeat: for 24 hours the same request with the same key gets the same response, and nothing is done twice. */
                "Idempotency-Key"?: string;
            };
            path: {
                namespace_name: components["schemas"]["NamespaceName"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The points are being removed. */
            202: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Reindex"];
                };
            };
            /** @description The `Idempotency-Key` is not usable. */
            400: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description The API key is missing, unknown, disabled, revoked or expired. */
            401: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description The API key is not activated or lacks the scope. */
            403: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description The namespace does not exist or is not yours, or it has no reindex. */
            404: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description The reindex is in another phase, which the message names. A request with this `Idempotency-Key` is in progress. */
            409: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description The `Idempotency-Key` was sent with another request. */
            422: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description The plan's request limit is reached (`current_usage`, `limit`), or the subscription has expired, or too many or too large requests are under way (without them). */
            429: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["LimitFailure"];
                };
            };
            /** @description Internal server error; the message names the failing operation. */
            500: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description A part of the service is not available; try again after `Retry-After`. */
            503: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
        };
    };
    flipReindex: {
        parameters: {
            query?: never;
            header?: {
                /** @description A value of your own, such as a UUID, that makes the request safe to repeat: for 24 hours the same request with the same key gets the same response, and nothing is done twice. */
                "Idempotency-Key"?: string;
            };
            path: {
                namespace_name: components["schemas"]["NamespaceName"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The models change places soon. */
            202: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Reindex"];
                };
            };
            /** @description The `Idempotency-Key` is not usable. */
            400: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description The API key is missing, unknown, disabled, revoked or expired. */
            401: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description The API key is not activated or lacks the scope. */
            403: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description The namespace does not exist or is not yours, or it has no reindex. */
            404: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description The reindex is in another phase, which the message names. A request with this `Idempotency-Key` is in progress. */
            409: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description The `Idempotency-Key` was sent with another request. */
            422: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description The plan's request limit is reached (`current_usage`, `limit`), or the subscription has expired, or too many or too large requests are under way (without them). */
            429: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["LimitFailure"];
                };
            };
            /** @description Internal server error; the message names the failing operation. */
            500: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description A part of the service is not available; try again after `Retry-After`. */
            503: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
        };
    };
    rollBackReindex: {
        parameters: {
            query?: never;
            header?: {
                /** @description A value of your own, such as a UUID, that makes the request safe to repeat: for 24 hours the same request with the same key gets the same response, and nothing is done twice. */
                "Idempotency-Key"?: string;
            };
            path: {
                namespace_name: components["schemas"]["NamespaceName"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The models change places soon. */
            202: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Reindex"];
                };
            };
            /** @description The `Idempotency-Key` is not usable. */
            400: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description The API key is missing, unknown, disabled, revoked or expired. */
            401: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description The API key is not activated or lacks the scope. */
            403: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description The namespace does not exist or is not yours, or it has no reindex. */
            404: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description The reindex is in another phase, which the message names. A request with this `Idempotency-Key` is in progress. */
            409: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description The `Idempotency-Key` was sent with another request. */
            422: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description The plan's request limit is reached (`current_usage`, `limit`), or the subscription has expired, or too many or too large requests are under way (without them). */
            429: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["LimitFailure"];
                };
            };
            /** @description Internal server error; the message names the failing operation. */
            500: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description A part of the service is not available; try again after `Retry-After`. */
            503: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
        };
    };
    getReextraction: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                namespace_name: components["schemas"]["NamespaceName"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The state. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Reextraction"];
                };
            };
            /** @description It is a vector namespace. */
            400: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description The API key is missing, unknown, disabled, revoked or expired. */
            401: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description The API key is not activated or lacks the scope. */
            403: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description The namespace does not exist or is not yours. */
            404: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description The plan's request limit is reached (`current_usage`, `limit`), or the subscription has expired, or too many or too large requests are under way (without them). */
            429: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["LimitFailure"];
                };
            };
            /** @description Internal server error; the message names the failing operation. */
            500: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description A part of the service is not available; try again after `Retry-After`. */
            503: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
        };
    };
    startReextraction: {
        parameters: {
            query?: never;
            header?: {
                /** @description A value of your own, such as a UUID, that makes the request safe to repeat: for 24 hours the same request with the same key gets the same response, and nothing is done twice. */
                "Idempotency-Key"?: string;
            };
            path: {
                namespace_name: components["schemas"]["NamespaceName"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description No file is outdated. Nothing was begun. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Reextraction"];
                };
            };
            /** @description It has begun, or was running. */
            202: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Reextraction"];
                };
            };
            /** @description It is a vector namespace. The `Idempotency-Key` is not usable. */
            400: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description The API key is missing, unknown, disabled, revoked or expired. */
            401: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description The API key is not activated or lacks the scope. */
            403: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description The namespace does not exist or is not yours. */
            404: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description A request with this `Idempotency-Key` is in progress. */
            409: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description The `Idempotency-Key` was sent with another request. */
            422: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description The plan's request limit is reached (`current_usage`, `limit`), or the subscription has expired, or too many or too large requests are under way (without them). */
            429: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["LimitFailure"];
                };
            };
            /** @description Internal server error; the message names the failing operation. */
            500: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description A part of the service is not available; try again after `Retry-After`. */
            503: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
        };
    };
    listEvaluations: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                namespace_name: components["schemas"]["NamespaceName"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The evaluations. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EvaluationList"];
                };
            };
            /** @description The API key is missing, unknown, disabled, revoked or expired. */
            401: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description The API key is not activated or lacks the scope. */
            403: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description The namespace does not exist, is not yours, or is a vector namespace. */
            404: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description The plan's request limit is reached (`current_usage`, `limit`), or the subscription has expired, or too many or too large requests are under way (without them). */
            429: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["LimitFailure"];
                };
            };
            /** @description Internal server error; the message names the failing operation. */
            500: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description A part of the service is not available; try again after `Retry-After`. */
            503: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
        };
    };
    keepEvaluation: {
        parameters: {
            query?: never;
            header?: {
                /** @description A value of your own, such as a UUID, that makes the request safe to repeat: for 24 hours the same request with the same key gets the same response, and nothing is done twice. */
                "Idempotency-Key"?: string;
            };
            path: {
                namespace_name: components["schemas"]["NamespaceName"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["KeepEvaluation"];
            };
        };
        responses: {
            /** @description The evaluation is kept. */
            201: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Evaluation"];
                };
            };
            /** @description A field is not allowed, or the lists have different lengths. The `Idempotency-Key` is not usable. */
            400: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description The API key is missing, unknown, disabled, revoked or expired. */
            401: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description The API key is not activated or lacks the scope. */
            403: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description The namespace does not exist, is not yours, or is a vector namespace. Or there is no evaluation to compare with. */
            404: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description The namespace has another model now, or the evaluation to compare with is of other questions. A request with this `Idempotency-Key` is in progress. */
            409: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description The body is larger than 10 MB. */
            413: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description The `Idempotency-Key` was sent with another request. */
            422: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description The plan's request limit is reached (`current_usage`, `limit`), or the subscription has expired, or too many or too large requests are under way (without them). */
            429: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["LimitFailure"];
                };
            };
            /** @description Internal server error; the message names the failing operation. */
            500: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description A part of the service is not available; try again after `Retry-After`. */
            503: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
        };
    };
    getEvaluation: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                namespace_name: components["schemas"]["NamespaceName"];
                evaluation_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The evaluation. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EvaluationDetail"];
                };
            };
            /** @description The API key is missing, unknown, disabled, revoked or expired. */
            401: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description The API key is not activated or lacks the scope. */
            403: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description The namespace or the evaluation does not exist or is not yours. */
            404: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description The plan's request limit is reached (`current_usage`, `limit`), or the subscription has expired, or too many or too large requests are under way (without them). */
            429: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["LimitFailure"];
                };
            };
            /** @description Internal server error; the message names the failing operation. */
            500: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description A part of the service is not available; try again after `Retry-After`. */
            503: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
        };
    };
    getEvents: {
        parameters: {
            query?: {
                /** @description Id of the last event that the client has, or `0` for all that are kept. Without it, and without the header `Last-Event-ID`, only new events are sent. */
                after?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The events, as they happen. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "text/event-stream": string;
                };
            };
            /** @description `after` or `Last-Event-ID` is not usable. */
            400: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description The API key is missing, unknown, disabled, revoked or expired. */
            401: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description The API key is not activated or lacks the scope. */
            403: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description The plan's request limit is reached (`current_usage`, `limit`), or the subscription has expired, or too many or too large requests are under way (without them). */
            429: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["LimitFailure"];
                };
            };
            /** @description Internal server error; the message names the failing operation. */
            500: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description A part of the service is not available; try again after `Retry-After`. */
            503: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
        };
    };
    getNamespaceEvents: {
        parameters: {
            query?: {
                /** @description Id of the last event that the client has, or `0` for all that are kept. Without it, and without the header `Last-Event-ID`, only new events are sent. */
                after?: string;
            };
            header?: never;
            path: {
                namespace_name: components["schemas"]["NamespaceName"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The events, as they happen. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "text/event-stream": string;
                };
            };
            /** @description `after` or `Last-Event-ID` is not usable, or the namespace is missing in the path. */
            400: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description The API key is missing, unknown, disabled, revoked or expired. */
            401: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description The API key is not activated or lacks the scope. */
            403: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description The namespace does not exist or is not yours. */
            404: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description The plan's request limit is reached (`current_usage`, `limit`), or the subscription has expired, or too many or too large requests are under way (without them). */
            429: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["LimitFailure"];
                };
            };
            /** @description Internal server error; the message names the failing operation. */
            500: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description A part of the service is not available; try again after `Retry-After`. */
            503: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
        };
    };
    getOwnUsage: {
        parameters: {
            query?: {
                /** @description The first day, UTC. Default: 29 days before `to`. */
                from?: string;
                /** @description The last day, UTC. Default: today. At most 400 days are read, the first and last included. */
                to?: string;
                /** @description What each row is about. */
                by?: "day" | "namespace" | "key";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The usage. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OwnUsage"];
                };
            };
            /** @description `from`, `to` or `by` is not usable, or the range is empty or too long. */
            400: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description The API key is missing, unknown, disabled, revoked or expired. */
            401: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description The API key is not activated or lacks the scope. */
            403: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description The plan's request limit is reached (`current_usage`, `limit`), or the subscription has expired, or too many or too large requests are under way (without them). */
            429: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["LimitFailure"];
                };
            };
            /** @description Internal server error; the message names the failing operation. */
            500: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description A part of the service is not available; try again after `Retry-After`. */
            503: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
        };
    };
    createConsoleCode: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The code. */
            201: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ConsoleCode"];
                };
            };
            /** @description The API key is missing, unknown, disabled, revoked or expired. */
            401: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description The API key is not activated or lacks the scope. */
            403: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description The server has no console (`CAIRN_CONSOLE=off`). */
            404: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description The plan's request limit is reached (`current_usage`, `limit`), or the subscription has expired, or too many or too large requests are under way (without them). */
            429: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["LimitFailure"];
                };
            };
            /** @description Internal server error; the message names the failing operation. */
            500: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description A part of the service is not available; try again after `Retry-After`. */
            503: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
        };
    };
    listAccounts: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description All accounts. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AccountList"];
                };
            };
            /** @description The admin key is missing or wrong. */
            401: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description The admin API is off because no admin key is set. */
            404: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description Internal server error; the message names the failing operation. */
            500: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description A part of the service is not available; try again after `Retry-After`. */
            503: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
        };
    };
    createAccount: {
        parameters: {
            query?: never;
            header?: {
                /** @description A value of your own, such as a UUID, that makes the request safe to repeat: for 24 hours the same request with the same key gets the same response, and nothing is done twice. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateAccount"];
            };
        };
        responses: {
            /** @description The account. */
            201: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Account"];
                };
            };
            /** @description A field is not usable. The `Idempotency-Key` is not usable. */
            400: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description The admin key is missing or wrong. */
            401: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description The admin API is off because no admin key is set. */
            404: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description A request with this `Idempotency-Key` is in progress. */
            409: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description The body is larger than 10 MB. */
            413: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description The `Idempotency-Key` was sent with another request. */
            422: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description Internal server error; the message names the failing operation. */
            500: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description A part of the service is not available; try again after `Retry-After`. */
            503: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
        };
    };
    listTiers: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The tiers that the server was started with. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TierList"];
                };
            };
            /** @description The admin key is missing or wrong. */
            401: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description The admin API is off because no admin key is set. */
            404: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description Internal server error; the message names the failing operation. */
            500: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description A part of the service is not available; try again after `Retry-After`. */
            503: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
        };
    };
    updateAccount: {
        parameters: {
            query?: never;
            header?: {
                /** @description A value of your own, such as a UUID, that makes the request safe to repeat: for 24 hours the same request with the same key gets the same response, and nothing is done twice. */
                "Idempotency-Key"?: string;
            };
            path: {
                account_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["UpdateAccount"];
            };
        };
        responses: {
            /** @description The updated account. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Account"];
                };
            };
            /** @description A field is not usable. The `Idempotency-Key` is not usable. */
            400: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description The admin key is missing or wrong. */
            401: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description No such account, or the admin API is off because no admin key is set. */
            404: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description A request with this `Idempotency-Key` is in progress. */
            409: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description The body is larger than 10 MB. */
            413: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description The `Idempotency-Key` was sent with another request. */
            422: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description Internal server error; the message names the failing operation. */
            500: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description A part of the service is not available; try again after `Retry-After`. */
            503: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
        };
    };
    listKeys: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                account_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description All keys of the account, without their secrets. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiKeyList"];
                };
            };
            /** @description The account is missing in the path. */
            400: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description The admin key is missing or wrong. */
            401: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description No such account, or the admin API is off because no admin key is set. */
            404: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description Internal server error; the message names the failing operation. */
            500: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description A part of the service is not available; try again after `Retry-After`. */
            503: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
        };
    };
    createKey: {
        parameters: {
            query?: never;
            header?: {
                /** @description A value of your own, such as a UUID, that makes the request safe to repeat: for 24 hours the same request with the same key gets the same response, and nothing is done twice. */
                "Idempotency-Key"?: string;
            };
            path: {
                account_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateKey"];
            };
        };
        responses: {
            /** @description The key. It is returned only once. */
            201: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiKeyCreated"];
                };
            };
            /** @description A field is not usable. The `Idempotency-Key` is not usable. */
            400: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description The admin key is missing or wrong. */
            401: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description No such account, or the admin API is off because no admin key is set. */
            404: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description A request with this `Idempotency-Key` is in progress. */
            409: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description The body is larger than 10 MB. */
            413: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description The `Idempotency-Key` was sent with another request. */
            422: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description Internal server error; the message names the failing operation. */
            500: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description A part of the service is not available; try again after `Retry-After`. */
            503: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
        };
    };
    updateKey: {
        parameters: {
            query?: never;
            header?: {
                /** @description A value of your own, such as a UUID, that makes the request safe to repeat: for 24 hours the same request with the same key gets the same response, and nothing is done twice. */
                "Idempotency-Key"?: string;
            };
            path: {
                key_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["UpdateKey"];
            };
        };
        responses: {
            /** @description The updated key. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiKey"];
                };
            };
            /** @description A field is not usable. The `Idempotency-Key` is not usable. */
            400: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description The admin key is missing or wrong. */
            401: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description No such key, or the admin API is off because no admin key is set. */
            404: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description The key is revoked. A request with this `Idempotency-Key` is in progress. */
            409: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description The body is larger than 10 MB. */
            413: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description The `Idempotency-Key` was sent with another request. */
            422: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description Internal server error; the message names the failing operation. */
            500: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description A part of the service is not available; try again after `Retry-After`. */
            503: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
        };
    };
    getUsage: {
        parameters: {
            query?: {
                /** @description The first day, UTC. Default: 29 days before `to`. */
                from?: string;
                /** @description The last day, UTC. Default: today. At most 400 days are read, the first and last included. */
                to?: string;
                /** @description What each row is about. */
                by?: "day" | "namespace" | "key";
            };
            header?: never;
            path: {
                account_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The usage. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Usage"];
                };
            };
            /** @description The account is missing in the path; `from`, `to` or `by` is not usable, or the range is empty or too long. */
            400: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description The admin key is missing or wrong. */
            401: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description No such account, or the admin API is off because no admin key is set. */
            404: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description Internal server error; the message names the failing operation. */
            500: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description A part of the service is not available; try again after `Retry-After`. */
            503: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
        };
    };
    listOrphans: {
        parameters: {
            query?: {
                /** @description Orphans of a page. */
                limit?: number;
                /** @description `next` of the previous page. */
                after?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One page. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OrphanList"];
                };
            };
            /** @description `limit` or `after` is not usable. */
            400: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description The admin key is missing or wrong. */
            401: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description The admin API is off because no admin key is set. */
            404: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description Internal server error; the message names the failing operation. */
            500: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description A part of the service is not available; try again after `Retry-After`. */
            503: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
        };
    };
    approveOrphans: {
        parameters: {
            query?: never;
            header?: {
                /** @description A value of your own, such as a UUID, that makes the request safe to repeat: for 24 hours the same request with the same key gets the same response, and nothing is done twice. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ApproveOrphans"];
            };
        };
        responses: {
            /** @description The number approved; unlisted keys are ignored. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        approved: number;
                    };
                };
            };
            /** @description A field is not usable. The `Idempotency-Key` is not usable. */
            400: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description The admin key is missing or wrong. */
            401: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description The admin API is off because no admin key is set. */
            404: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description A request with this `Idempotency-Key` is in progress. */
            409: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description The body is larger than 10 MB. */
            413: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description The `Idempotency-Key` was sent with another request. */
            422: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description Internal server error; the message names the failing operation. */
            500: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description A part of the service is not available; try again after `Retry-After`. */
            503: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
        };
    };
    getReadiness: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Uploads and search are served. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Readiness"];
                };
            };
            /** @description Uploads or search are not served; the body names each dependency. */
            503: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Readiness"];
                };
            };
        };
    };
}
