ALTER TABLE "students" ADD COLUMN "left_on" date;--> statement-breakpoint
ALTER TABLE "students" ADD COLUMN "left_reason" text;--> statement-breakpoint
ALTER TABLE "students" ADD COLUMN "left_note" text;--> statement-breakpoint
ALTER TABLE "students" ADD COLUMN "left_classes" uuid[] DEFAULT '{}' NOT NULL;--> statement-breakpoint
ALTER TABLE "students" ADD CONSTRAINT "students_left" CHECK (("students"."left_on" is null) = ("students"."left_reason" is null));--> statement-breakpoint
-- From here on written by hand. The super admin's list counts students who have not left.
CREATE OR REPLACE FUNCTION "count_listed_students"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM FROM dojos WHERE id IN (SELECT dojo_id FROM changed) ORDER BY id FOR KEY SHARE;
  UPDATE sensei_directory l SET total_students = l.total_students + n.students * CASE TG_OP WHEN 'INSERT' THEN 1 ELSE -1 END
    FROM (SELECT dojo_id, count(*) AS students FROM changed WHERE left_on IS NULL GROUP BY dojo_id) n WHERE l.dojo_id = n.dojo_id;
  RETURN NULL;
END $$;--> statement-breakpoint
CREATE OR REPLACE FUNCTION "list_sensei"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM FROM dojos WHERE id IN (SELECT dojo_id FROM added) ORDER BY id FOR UPDATE;
  INSERT INTO sensei_directory (sensei_id, dojo_id, full_name, dojo_name, contact_number, email, city, state, total_students, is_active, created_at)
    SELECT i.id, i.dojo_id, i.name, d.name, i.phone_number, i.email, d.city, d.state,
      (SELECT count(*) FROM students s WHERE s.dojo_id = i.dojo_id AND s.left_on IS NULL), a.is_active, i.created_at
    FROM added i JOIN accounts a ON a.id = i.id JOIN dojos d ON d.id = i.dojo_id;
  UPDATE sensei_totals SET total_sensei = total_sensei + n.total, active_sensei = active_sensei + n.active
    FROM (SELECT count(*) AS total, count(*) FILTER (WHERE a.is_active) AS active FROM added i JOIN accounts a ON a.id = i.id) n
    WHERE n.total > 0;
  RETURN NULL;
END $$;--> statement-breakpoint
CREATE FUNCTION "count_former_student"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM FROM dojos WHERE id = NEW.dojo_id FOR KEY SHARE;
  UPDATE sensei_directory SET total_students = total_students + CASE WHEN NEW.left_on IS NULL THEN 1 ELSE -1 END
    WHERE dojo_id = NEW.dojo_id;
  RETURN NULL;
END $$;--> statement-breakpoint
CREATE TRIGGER "count_former_student" AFTER UPDATE OF left_on ON "students"
  FOR EACH ROW WHEN ((OLD.left_on IS NULL) <> (NEW.left_on IS NULL)) EXECUTE FUNCTION count_former_student();
