import de.bwaldvogel.mongo.MongoCollection;
import de.bwaldvogel.mongo.MongoDatabase;
import de.bwaldvogel.mongo.MongoServer;
import de.bwaldvogel.mongo.MongoVersion;
import de.bwaldvogel.mongo.backend.Index;
import de.bwaldvogel.mongo.backend.IndexKey;
import de.bwaldvogel.mongo.backend.h2.H2Backend;
import de.bwaldvogel.mongo.backend.h2.H2Database;
import de.bwaldvogel.mongo.bson.Document;
import de.bwaldvogel.mongo.exception.KeyConstraintError;
import de.bwaldvogel.mongo.wire.message.MongoMessage;
import io.netty.channel.Channel;
import java.util.List;

/**
 * A MongoDB-compatible stand-in for tests on machines where MongoDB itself can't be had: mongo-java-server on an H2 file.
 * It is no MongoDB. It has no sessions and no transactions, loses acknowledged writes when it is killed unless it is told to keep each
 * (CAIRN_MONGODB_KEEP=each, some times slower), and its atomicity is that of the lock below, so nothing seen against it is
 * evidence about MongoDB.
 */
public final class Main {
  /** Current drivers refuse a server that speaks an older protocol than this. */
  private static final class Claims implements MongoVersion {
    @Override
    public List<Integer> getVersionArray() {
      return List.of(4, 4, 0);
    }

    @Override
    public int getWireVersion() {
      return 9;
    }
  }

  /**
   * One message at a time, and answers that share nothing with the store. Otherwise the document an update returns is still
   * the stored one while it is written to the wire, and shows what a later update made of it.
   */
  private static final class Isolated extends H2Backend {
    private final boolean keepsEach = "each".equals(System.getenv("CAIRN_MONGODB_KEEP"));
    private final String replicaSet;
    private final String member;

    /** `place` is `<replica set>/<host>:<port>`, or null for a server that is alone. */
    Isolated(String file, String place) {
      super(file);
      String[] parts = place == null ? new String[] {null, null} : place.split("/", 2);
      replicaSet = parts[0];
      member = parts[1];
    }

    /** Drivers that are told of a replica set insist on being answered by one. It replicates nothing for that. */
    @Override
    public Document handleCommand(Channel channel, String database, String command, Document query) {
      Document answer = super.handleCommand(channel, database, command, query);
      if (replicaSet == null || !command.equalsIgnoreCase("isMaster")) return answer;
      return new Document(answer).append("setName", replicaSet).append("hosts", List.of(member)).append("me", member).append("primary", member);
    }

    @Override
    protected MongoDatabase openOrCreateDatabase(String name) {
      return new H2Database(name, getMvStore(), getCursorRegistry()) {
        @Override
        protected Index<Object> openOrCreateUniqueIndex(String collection, String index, List<IndexKey> keys, boolean sparse) {
          Index<Object> opened = super.openOrCreateUniqueIndex(collection, index, keys, sparse);
          return ById.isOf(keys) ? new ById(opened, index, keys, sparse) : opened;
        }
      };
    }

    @Override
    public synchronized Document handleMessage(MongoMessage message) {
      Document answer = super.handleMessage(message);
      if (!keepsEach) return answer == null ? null : answer.cloneDeeply();
      try {
        // What is acknowledged is in the file, out of reach of whatever becomes of this process.
        commit();
      } catch (RuntimeException failure) {
        // The disk is full, or gone. Like MongoDB, it ends rather than go on with what it can't keep.
        failure.printStackTrace();
        Runtime.getRuntime().halt(1);
      }
      return answer == null ? null : answer.cloneDeeply();
    }
  }

  /** The index of `_id`, also for queries that ask for more than `_id`: the server itself looks at every document for those. */
  private static final class ById extends Index<Object> {
    private final Index<Object> index;

    ById(Index<Object> index, String name, List<IndexKey> keys, boolean sparse) {
      super(name, keys, sparse);
      this.index = index;
    }

    static boolean isOf(List<IndexKey> keys) {
      return keys.size() == 1 && keys.get(0).getKey().equals("_id");
    }

    /** All conditions of a query hold together, so that what one of them admits is enough to look at. */
    private static Document idOf(Document query) {
      return query.containsKey("_id") ? new Document("_id", query.get("_id")) : query;
    }

    @Override
    public boolean canHandle(Document query) {
      return index.canHandle(idOf(query));
    }

    @Override
    public Iterable<Object> getPositions(Document query) {
      return index.getPositions(idOf(query));
    }

    @Override
    public Object getPosition(Document document) {
      return index.getPosition(document);
    }

    @Override
    public void checkAdd(Document document, MongoCollection<Object> collection) {
      index.checkAdd(document, collection);
    }

    @Override
    public void add(Document document, Object position, MongoCollection<Object> collection) {
      index.add(document, position, collection);
    }

    @Override
    public Object remove(Document document) {
      return index.remove(document);
    }

    @Override
    public void checkUpdate(Document before, Document after, MongoCollection<Object> collection) {
      index.checkUpdate(before, after, collection);
    }

    @Override
    public void updateInPlace(Document before, Document after, Object position, MongoCollection<Object> collection)
        throws KeyConstraintError {
      index.updateInPlace(before, after, position, collection);
    }

    @Override
    public long getCount() {
      return index.getCount();
    }

    @Override
    public long getDataSize() {
      return index.getDataSize();
    }

    @Override
    public boolean isUnique() {
      return index.isUnique();
    }

    @Override
    public void drop() {
      index.drop();
    }
  }

  /** Port and folder; in a container also the address to listen on, and the place in a replica set. */
  public static void main(String[] arguments) throws InterruptedException {
    int port = Integer.parseInt(arguments[0]);
    String address = arguments.length > 2 ? arguments[2] : "127.0.0.1";
    String place = arguments.length > 3 ? arguments[3] : null;
    MongoServer server = new MongoServer(new Isolated(arguments[1], place).version(new Claims()));
    Runtime.getRuntime().addShutdownHook(new Thread(server::shutdown));
    server.bind(address, port);
    Thread.currentThread().join();
  }
}
