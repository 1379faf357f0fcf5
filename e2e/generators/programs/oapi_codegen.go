package main

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"os"
)

const name = "oapi-codegen"

func must(err error) {
	if err != nil {
		panic(err)
	}
}

func textID(text string) (id SentId) {
	must(id.FromSentId0(text))
	return id
}

func main() {
	ctx := context.Background()
	withKey := func(_ context.Context, request *http.Request) error {
		request.Header.Set("x-api-key", os.Getenv("CAIRN_API_KEY"))
		return nil
	}
	client, err := NewClientWithResponses(os.Getenv("CAIRN_URL"), WithRequestEditorFn(withKey))
	must(err)

	var kind CreateNamespace
	must(kind.FromCreateTextNamespace(CreateTextNamespace{NamespaceName: name}))
	created, err := client.CreateNamespaceWithResponse(ctx, nil, kind)
	must(err)
	if created.JSON201 == nil {
		panic(string(created.Body))
	}

	text := "A cairn marks the path over the pass."
	document := SentDocument{Id: textID("a"), Text: &text, AdditionalProperties: map[string]any{"year": 2024}}
	other := SentDocument{Id: textID("b"), Text: &text}
	uploaded, err := client.UploadDocumentsWithResponse(ctx, name, nil, UploadDocuments{Documents: []SentDocument{document, other}})
	must(err)
	if uploaded.JSON202 == nil {
		panic(string(uploaded.Body))
	}
	for state := ""; state != "completed"; {
		upload, err := client.GetUploadWithResponse(ctx, name, uploaded.JSON202.UploadId, nil)
		must(err)
		state = string(upload.JSON200.State)
	}

	var query SearchQuery
	must(query.FromSearchQuery0("path over the pass"))
	var filter Filter
	must(json.Unmarshal([]byte(`{"key":"year","gte":2020}`), &filter))
	hits, err := client.SearchWithResponse(ctx, Search{Query: query, Namespaces: []string{name}, Filter: &filter})
	must(err)
	if hits.JSON200 == nil || len(hits.JSON200.Results) != 1 || hits.JSON200.Results[0].Id != "a" {
		panic(string(hits.Body))
	}

	ids := []SentId{textID("a"), textID("b")}
	removed, err := client.DeleteDocumentsWithResponse(ctx, name, nil, DeleteItems{Ids: &ids})
	must(err)
	if removed.JSON200 == nil || removed.JSON200.ActualDeletions != 2 {
		panic(string(removed.Body))
	}
	refused, err := client.SearchWithResponse(ctx, Search{Query: query, Namespaces: []string{"none"}})
	must(err)
	if refused.JSON404 == nil || refused.JSON404.Message == "" {
		panic(string(refused.Body))
	}
	fmt.Println("ok")
}
