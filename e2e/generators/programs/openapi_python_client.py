import os

from cairn_client import AuthenticatedClient
from cairn_client.api.documents import delete_documents, upload_documents
from cairn_client.api.namespaces import create_namespace
from cairn_client.api.search import search
from cairn_client.api.uploads import get_upload
from cairn_client.models import (
    CreateTextNamespace,
    DeleteItems,
    DocumentsAccepted,
    Failure,
    Filter,
    Hits,
    ItemsDeleted,
    NamespaceCreated,
    Search,
    SentDocument,
    Upload,
    UploadDocuments,
)

name = "openapi-python-client"
client = AuthenticatedClient(
    base_url=os.environ["CAIRN_URL"],
    token=os.environ["CAIRN_API_KEY"],
    prefix="",
    auth_header_name="x-api-key",
)

created = create_namespace.sync(client=client, body=CreateTextNamespace(namespace_name=name, type_="text"))
assert isinstance(created, NamespaceCreated), created
document = SentDocument(id="a", text="A cairn marks the path over the pass.")
document["year"] = 2024
other = SentDocument(id=2, text="Bread is baked from flour and water.")
uploaded = upload_documents.sync(name, client=client, body=UploadDocuments(documents=[document, other]))
assert isinstance(uploaded, DocumentsAccepted), uploaded
while True:
    upload = get_upload.sync(name, uploaded.upload_id, client=client)
    assert isinstance(upload, Upload), upload
    if upload.state == "completed":
        break
hits = search.sync(
    client=client,
    body=Search(query="path over the pass", namespaces=[name], filter_=Filter(key="year", gte=2020)),
)
assert isinstance(hits, Hits), hits
assert [hit.id for hit in hits.results] == ["a"], hits
removed = delete_documents.sync(name, client=client, body=DeleteItems(ids=["a", 2]))
assert isinstance(removed, ItemsDeleted) and removed.actual_deletions == 2, removed
refused = search.sync(client=client, body=Search(query="path", namespaces=["none"]))
assert isinstance(refused, Failure) and refused.message, refused
print("ok")
