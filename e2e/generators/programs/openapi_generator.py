import os

import cairn_api
from cairn_api.models import (
    CreateNamespace,
    CreateTextNamespace,
    DeleteItems,
    Filter,
    Search,
    SearchQuery,
    SentDocument,
    SentId,
    UploadDocuments,
)

name = "openapi-generator"
configuration = cairn_api.Configuration(
    host=os.environ["CAIRN_URL"], api_key={"ApiKey": os.environ["CAIRN_API_KEY"]}
)
with cairn_api.ApiClient(configuration) as client:
    body = CreateNamespace(CreateTextNamespace(namespace_name=name, type="text"))
    created = cairn_api.NamespacesApi(client).create_namespace(body)
    assert created.type == "text", created
    documents = cairn_api.DocumentsApi(client)
    first = SentDocument(
        id=SentId("a"),
        text="A cairn marks the path over the pass.",
        additional_properties={"year": 2024},
    )
    second = SentDocument(id=SentId(2), text="Bread is baked from flour and water.")
    uploaded = documents.upload_documents(name, UploadDocuments(documents=[first, second]))
    uploads = cairn_api.UploadsApi(client)
    while uploads.get_upload(name, uploaded.upload_id).state != "completed":
        pass
    search = cairn_api.SearchApi(client)
    query = Search(
        query=SearchQuery("path over the pass"),
        namespaces=[name],
        filter=Filter.from_dict({"key": "year", "gte": 2020}),
    )
    hits = search.search(query)
    assert [hit.id for hit in hits.results] == ["a"], hits
    removed = documents.delete_documents(name, DeleteItems(ids=[SentId("a"), SentId(2)]))
    assert removed.actual_deletions == 2, removed
    try:
        search.search(Search(query=SearchQuery("path"), namespaces=["none"]))
        raise AssertionError("not refused")
    except cairn_api.ApiException as error:
        assert error.status == 404, error
print("ok")
